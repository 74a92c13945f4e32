package definition

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"parley/internal/analysis/classify"
	"parley/internal/words/fault"
	"parley/internal/words/list"
)

// labelColumns are the possible names of the label column; the first one present is used.
var labelColumns = []string{"label", "category", "class", "intent"}

// trainingTable parses CSV whose first line names the columns: text or mediaId, and label.
func (c *checker) trainingTable(set *TrainingSet, sent []byte) error {
	if len(bytes.TrimSpace(sent)) == 0 {
		return fault.New(fault.Invalid, fault.CodeTrainingSet,
			`the request body is empty; send CSV with the columns text and label, or {"classifierName":…,"examples":[{"text":…,"label":…}]}`)
	}
	table := csv.NewReader(bytes.NewReader(sent))
	table.ReuseRecord = true
	columns, err := readColumns(table)
	if err != nil {
		return err
	}
	for {
		row, err := table.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fault.New(fault.Invalid, fault.CodeTrainingSet, "the training set is invalid CSV: %w", err)
		}
		if len(set.Examples) > classify.MaxTexts {
			return nil // already over the limit
		}
		line, _ := table.FieldPos(0)
		set.Examples = append(set.Examples,
			c.example(fmt.Sprintf("line %d", line), columns.in(row, columns.text), columns.in(row, columns.media),
				columns.in(row, columns.label)))
	}
}

// columns holds the column indices; -1: absent.
type columns struct{ text, media, label int }

func (columns) in(row []string, at int) string {
	if at < 0 {
		return ""
	}
	return strings.Clone(strings.TrimSpace(row[at]))
}

func readColumns(table *csv.Reader) (columns, error) {
	row, err := table.Read()
	if err != nil {
		return columns{}, fault.New(fault.Invalid, fault.CodeTrainingSet, "the training set is invalid CSV: %w", err)
	}
	names := list.Map(row, func(name string) string { return strings.ToLower(strings.TrimSpace(name)) })
	found := columns{slices.Index(names, "text"), slices.Index(names, "mediaid"), -1}
	for _, name := range labelColumns {
		if found.label < 0 {
			found.label = slices.Index(names, name)
		}
	}
	if found.label < 0 || found.text < 0 && found.media < 0 {
		return columns{}, fault.New(fault.Invalid, fault.CodeTrainingSet,
			"the first line has the columns %s; it must name a column text or mediaId, and a column label",
			clip(strings.Join(names, ", ")))
	}
	return found, nil
}
