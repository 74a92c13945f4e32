package batch

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/terminal/textfile"
)

// fileColumn is the column that names the recording of a row.
const fileColumn = "file"

// maxMistakes is how many mistakes in a file are reported together.
const maxMistakes = 20

// mistakes collects the mistakes in a file with their positions.
type mistakes struct {
	file string
	all  []error
}

func (m *mistakes) add(line, column int, format string, args ...any) {
	if len(m.all) < maxMistakes {
		m.all = append(m.all, fmt.Errorf("%s:%d:%d: "+format, append([]any{m.file, line, column}, args...)...))
	}
}

// table is a CSV file of metadata.
type table struct {
	*mistakes
	reader  *csv.Reader
	paths   []string // metadata path of each column; fileColumn for the column of file names
	folder  string   // folder that relative paths start from
	of      func(name string) (path string, why string)
	rows    map[string][]byte
	lines   map[string]int // line of each recording's row
	unsent  []string       // rows of files that exist but are not sent
	missing []string       // rows of files that do not exist
	lenient bool           // missing files are no mistakes
}

// readCSV reads the metadata of recordings from a CSV file, as JSON by path. The first line has the column names:
// `file`, and paths of metadata. Separators are commas, or what spreadsheets write instead: semicolons, tabs, vertical
// bars. An empty cell is an absent field. Empty rows are skipped, and so are columns without a name whose cells are
// empty. A row whose file does not exist is a mistake, unless SkipMissing is set.
func readCSV(from Sources, all []Recording) (rows map[string][]byte, warnings []string, err error) {
	path := from.CSV
	body, err := textfile.Read(path)
	if err != nil {
		return nil, nil, err
	}
	t := &table{
		mistakes: &mistakes{file: path}, reader: csv.NewReader(bytes.NewReader(body)),
		folder: filepath.Dir(path), of: finder(path, all),
		rows: map[string][]byte{}, lines: map[string]int{}, lenient: from.SkipMissing,
	}
	if err := t.separate(body); err != nil {
		return nil, nil, err
	}
	if err := t.read(); err != nil {
		return nil, nil, err
	}
	warnings = slices.Concat(
		about(path, t.missing, "row of a file that does not exist", "rows of files that do not exist"),
		about(path, t.unsent, "row of a file that is not sent", "rows of files that are not sent"),
	)
	var without []string
	for _, r := range all {
		if _, ok := t.lines[r.Path]; !ok {
			without = append(without, r.Path)
		}
	}
	return t.rows, append(warnings, about(path, without, "recording without a row", "recordings without a row")...), nil
}

// separate detects the separator: the one that a first line such as "sep=;" names, as spreadsheets write it, otherwise
// the most frequent one in the first line.
func (t *table) separate(body []byte) error {
	first, _, _ := bytes.Cut(body, []byte("\n"))
	if sign, ok := bytes.CutPrefix(bytes.TrimRight(first, "\r"), []byte("sep=")); ok && len(sign) == 1 {
		t.reader.Comma = rune(sign[0])
		t.reader.FieldsPerRecord = -1 // this line has a different number of cells
		defer func() { t.reader.FieldsPerRecord = 0 }()
		_, err := t.reader.Read()
		return err
	}
	t.reader.Comma = mostFrequent(first)
	return nil
}

// mostFrequent returns the most frequent separator of a line; a comma if there is none.
func mostFrequent(line []byte) rune {
	best := ','
	for _, sign := range ";\t|" {
		if bytes.Count(line, []byte(string(sign))) > bytes.Count(line, []byte(string(best))) {
			best = sign
		}
	}
	return best
}

// about returns a warning about rows or recordings, with the first as an example; nothing if there are none.
func about(path string, these []string, one, several string) []string {
	switch len(these) {
	case 0:
		return nil
	case 1:
		return []string{fmt.Sprintf("%s: 1 %s: %s", path, one, these[0])}
	}
	return []string{fmt.Sprintf("%s: %d %s, such as %s", path, len(these), several, these[0])}
}

// read reads the whole file; the error lists all mistakes, up to maxMistakes.
func (t *table) read() error {
	head, err := t.reader.Read()
	if err == io.EOF {
		return fmt.Errorf("%s is empty; its first line must name the columns, such as "+
			"file,externalId,extended.campaign", t.file)
	}
	if err != nil {
		return t.syntax(err)
	}
	t.header(head)
	if len(t.all) > 0 {
		return errors.Join(t.all...)
	}
	for {
		cells, err := t.reader.Read()
		if err == io.EOF {
			return errors.Join(t.all...)
		}
		if err != nil {
			return errors.Join(append(t.all, t.syntax(err))...)
		}
		t.row(cells)
	}
}

func (t *table) syntax(err error) error {
	if at, ok := errors.AsType[*csv.ParseError](err); ok {
		reason := at.Err.Error()
		if errors.Is(at.Err, csv.ErrFieldCount) {
			reason = fmt.Sprintf("the row must have %d cells, like the first line", len(t.paths))
		}
		return fmt.Errorf("%s:%d:%d: %s", t.file, at.Line, max(at.Column, 1), reason)
	}
	return fmt.Errorf("%s: %w", t.file, err)
}

func (t *table) header(head []string) {
	unknown := 0
	for i, name := range head {
		name = strings.TrimSpace(name)
		line, column := t.reader.FieldPos(i)
		switch other, clashes := clash(t.paths, name); {
		case name == "":
		case slices.Contains(t.paths, name):
			t.add(line, column, "duplicate column %q", name)
		case clashes:
			t.add(line, column, "the columns %q and %q conflict: one is inside the other",
				name, other)
		case name != fileColumn && !isField(name):
			t.add(line, column, "%q is not a metadata field", name)
			unknown++
		}
		t.paths = append(t.paths, name)
	}
	if unknown > 0 {
		t.add(1, 1, "%s", fieldsAre())
	}
	if !slices.Contains(t.paths, fileColumn) {
		t.add(1, 1, "missing column %q, which names the recording of each row", fileColumn)
	}
}

func (t *table) row(cells []string) {
	if !slices.ContainsFunc(cells, func(cell string) bool { return strings.TrimSpace(cell) != "" }) {
		return
	}
	at := slices.Index(t.paths, fileColumn)
	line, column := t.reader.FieldPos(at)
	name := strings.TrimSpace(cells[at])
	if name == "" {
		t.add(line, column, "the cell in column %q is empty", fileColumn)
		return
	}
	path, why := t.of(name)
	if why != "" {
		t.add(line, column, "%s", why)
		return
	}
	if earlier, twice := t.lines[path]; twice && path != "" {
		t.add(line, column, "%q already has a row, on line %d", name, earlier)
		return
	}
	known := []byte("{}")
	for i, value := range cells {
		value = strings.TrimSpace(value)
		if i == at || value == "" {
			continue
		}
		line, column := t.reader.FieldPos(i)
		if t.paths[i] == "" {
			t.add(line, column, "the column that contains %.80q has no name in the first line", value)
			continue
		}
		var err error
		if known, err = (field{t.paths[i], value}).add(known); err != nil {
			t.add(line, column, "%s %.80q: %w", t.paths[i], value, err)
		}
	}
	switch place := fmt.Sprintf("%q on line %d", name, line); {
	case path != "":
		t.rows[path], t.lines[path] = known, line
	case t.exists(name):
		t.unsent = append(t.unsent, place)
	case t.lenient:
		t.missing = append(t.missing, place)
	default:
		t.add(line, column, "there is no file %q in %s; correct the name, or give --skip-missing to skip such rows",
			name, t.folder)
	}
}

// exists reports whether the file that a row names exists.
func (t *table) exists(name string) bool {
	return slices.ContainsFunc(placesOf(t.folder, name), func(path string) bool {
		_, err := os.Stat(path)
		return err == nil
	})
}

// placesOf returns the paths that a row may refer to: relative to the folder of the CSV file, or to the current folder.
// Backslashes count as separators, as in lists made on Windows, unless a file has them in its name.
func placesOf(folder, name string) (paths []string) {
	for _, spelled := range []string{name, strings.ReplaceAll(name, `\`, "/")} {
		if filepath.IsAbs(spelled) {
			paths = append(paths, spelled)
			continue
		}
		paths = append(paths, filepath.Join(folder, spelled), spelled)
	}
	return paths
}

// finder returns a function that finds the recording that a row names: by a path relative to the folder of the CSV file
// or to the current one, or by the file name alone if it is unique. It returns "" for a file that is not sent.
func finder(csvPath string, all []Recording) func(name string) (path, why string) {
	paths, names := map[string]string{}, map[string][]string{}
	for _, r := range all {
		paths[absolute(r.Path)] = r.Path
		base := filepath.Base(r.Path)
		names[base] = append(names[base], r.Path)
	}
	folder := filepath.Dir(csvPath)
	return func(name string) (string, string) {
		for _, path := range placesOf(folder, name) {
			if found := paths[absolute(path)]; found != "" {
				return found, ""
			}
		}
		switch same := names[name]; len(same) {
		case 0:
			return "", ""
		case 1:
			return same[0], ""
		default:
			return "", fmt.Sprintf("%q matches %s and %s; write the path relative to the folder of this file", name,
				same[0], same[1])
		}
	}
}
