package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/testkit/pgtest"
)

func TestEnginesGiveTheSameAnswers(t *testing.T) {
	const calls, words, questions, deleted = 300, 400, 12, 3
	documents := filepath.Join(t.TempDir(), "calls")
	if err := writeDocuments(documents, newCorpus(words), calls); err != nil {
		t.Fatal(err)
	}
	var all []report
	for _, e := range engines {
		s := setup{Dir: t.TempDir(), Documents: documents, Calls: calls, Words: words}
		if e.name == "PostgreSQL" {
			s.Postgres = pgtest.URL(t)
		}
		r, err := measure(t.Context(), e.name, s, questions, deleted)
		if err != nil {
			t.Fatal(err)
		}
		if r.Took <= 0 || r.Work <= 0 || r.Bytes <= 0 || r.Memory <= 0 || r.Delete <= 0 || r.Version == "" {
			t.Errorf("%+v", r)
		}
		all = append(all, r)
	}
	for _, err := range differences(all) {
		t.Error(err)
	}
	for _, k := range all[0].Kinds {
		if found := countOf(k); found == 0 && k.Kind != "rare phrase" {
			t.Errorf("%s: no question finds a call", k.Kind)
		}
	}
	var table bytes.Buffer
	printTables(&table, all, calls)
	if text := table.String(); !strings.Contains(text, "| common phrase |") || !strings.Contains(text, "(×") {
		t.Errorf("the table is\n%s", text)
	}
}

// countOf returns how many calls the questions of a kind find together.
func countOf(k kindReport) (n int) {
	for _, a := range k.Answers {
		n += a.Count
	}
	return n
}

func TestADifferentAnswerIsAnError(t *testing.T) {
	with := func(count int, newest ...int) report {
		return report{Kinds: []kindReport{{Kind: "word", Answers: []answer{{newest, count}}}}}
	}
	if errs := differences([]report{with(2, 7, 3), with(2, 7, 3)}); len(errs) > 0 {
		t.Error(errs)
	}
	if errs := differences([]report{with(2, 7, 3), with(2, 3, 7), with(3, 7, 3)}); len(errs) != 2 {
		t.Error(errs)
	}
}

func TestOfTwoRunsTheLowerFiguresCount(t *testing.T) {
	a := report{Took: 3, Bytes: 9, Kinds: []kindReport{{Newest: spread{5, 8}, Count: spread{1, 2}}}}
	b := report{Took: 4, Bytes: 7, Kinds: []kindReport{{Newest: spread{6, 7}, Count: spread{1, 1}}}}
	low := a.lower(b)
	if k := low.Kinds[0]; low.Took != 3 || low.Bytes != 7 || k.Newest != (spread{5, 7}) || k.Count != (spread{1, 1}) {
		t.Errorf("%+v", low)
	}
}

func TestWordsArePlain(t *testing.T) {
	for word, want := range map[string]string{"$49.99.": "4999", "It's": "its", "you?": "you"} {
		if got := plain(word); got != want {
			t.Errorf("%s becomes %s", word, got)
		}
	}
}
