package columnar_test

import (
	"bytes"
	"encoding/csv"
	"slices"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"parley/internal/index/columnar"
	"parley/internal/lab/corpus"
	"parley/internal/testkit/storetest"
	"parley/internal/words/transcript"
)

// said returns a call with these words, one per second.
func said(c corpus.Call, words ...string) corpus.Call {
	c.Transcript = &transcript.Transcript{Length: time.Duration(len(words)) * time.Second,
		Speakers: []transcript.Speaker{{Name: "=Agent"}}}
	for i, w := range words {
		start := time.Duration(i) * time.Second
		c.Transcript.Words = append(c.Transcript.Words,
			transcript.Word{Text: w, Start: start, End: start + time.Second, Confidence: 1})
	}
	return c
}

func TestNoTextOfACSVFileIsAFormula(t *testing.T) {
	db := storetest.SQLite(t)
	s := open(t, db)
	a := storetest.Account(t, db, "a").ID
	words := []string{"=1+1", "+1", "-5", "@x", "\tx", "\rx", "\nx", "＝1", "plain", "a=b", "", "'=1", "1",
		" =1", "\u00a0+1", "\u3000\u200b\ufeff@x", "\u2060=1", "\u00ad=1", "\u3164=1", "﹦1", "﹢1", "﹣1", "﹫x", "⁼1",
		"⁺1", "−1", "\x00=1", "\u0301=1", " plain", "a =1", "–1", "é=1",
		"꞊1", "🟰1", "➕1", "➖1", "˗1", "‐1", "‑1", "⩵1", "＋1", "－1", " \u200b꞊1", "— and then", "‒1", "―1", "±5", "×2",
		"é"}
	cells := []string{"'=1+1", "'+1", "'-5", "'@x", "'\tx", "'\rx", "'\nx", "'＝1", "plain", "a=b", "", "'=1", "1",
		"' =1", "'\u00a0+1", "'\u3000\u200b\ufeff@x", "'\u2060=1", "'\u00ad=1", "'\u3164=1", "'﹦1", "'﹢1", "'﹣1", "'﹫x",
		"'⁼1", "'⁺1", "'−1", "'\x00=1", "'\u0301=1", " plain", "a =1", "–1", "é=1",
		"'꞊1", "'🟰1", "'➕1", "'➖1", "'˗1", "'‐1", "'‑1", "'⩵1", "'＋1", "'－1", "' \u200b꞊1", "— and then", "‒1", "―1",
		"±5", "×2", "é"}
	k := said(corpus.New(corpus.Config{}).Call(0), words...)
	k.Metadata = []byte(`{"title":"=HYPERLINK(\"http://x\")","description":"-1","externalId":"+1"}`)
	s.publish(a, k, true, -0.5)
	export := func(table, format string) []byte {
		t.Helper()
		var b bytes.Buffer
		if err := s.index.Export(t.Context(), a, columnar.Export{Table: table, Format: format}, &b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	rows := func(table string) [][]string {
		t.Helper()
		all, err := csv.NewReader(bytes.NewReader(export(table, "csv"))).ReadAll()
		if err != nil || len(all) < 2 {
			t.Fatal(table, err, all)
		}
		return all[1:]
	}
	if call := rows("calls")[0]; !slices.Equal(call[8:11], []string{"'+1", `'=HYPERLINK("http://x")`, "'-1"}) {
		t.Errorf("call %q", call)
	}
	if metric := rows("metrics")[0]; metric[4] != "-0.5" {
		t.Errorf("a number is no number any more: %q", metric)
	}
	for i, r := range rows("words") {
		if r[2] != cells[i] || r[7] != "'=Agent" {
			t.Errorf("%q is written as %q, said by %q", words[i], r[2], r[7])
		}
	}
	file := export("words", "parquet")
	exact, err := parquet.Read[struct {
		W string `parquet:"w"`
	}](bytes.NewReader(file), int64(len(file)))
	if err != nil || len(exact) != len(words) {
		t.Fatal(err, exact)
	}
	for i, r := range exact {
		if r.W != words[i] {
			t.Errorf("%q is %q in Parquet", words[i], r.W)
		}
	}
}
