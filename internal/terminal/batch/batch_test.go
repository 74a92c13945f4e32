package batch

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/testkit/verify"
	"parley/internal/words/jsondoc"
	"parley/internal/words/media"
)

func TestMergedObjectsKeepSpellingAndOrder(t *testing.T) {
	for _, c := range []struct{ base, over, want string }{
		{`{"a":1.0,"b":{"c":12345678901234567890}}`, `{"b":{"d":"é"},"e":[1]}`,
			`{"a":1.0,"b":{"c":12345678901234567890,"d":"é"},"e":[1]}`},
		{`{"a":{"b":1}}`, `{"a":null,"c":[]}`, `{"a":{"b":1},"c":[]}`},
		{`{"a":{"b":1}}`, `{"a":"x"}`, `{"a":"x"}`},
		// the server reports duplicate members
		{`{"a":1}`, ``, `{"a":1}`}, {`{"a":1}`, `null`, `{"a":1}`}, {`{}`, `{"x":1,"x":2}`, `{"x":1,"x":2}`},
	} {
		if got, err := Merge([]byte(c.base), []byte(c.over)); err != nil || string(got) != c.want {
			t.Errorf("%s with %s: %s (%v), want %s", c.base, c.over, got, err, c.want)
		}
	}
	for _, over := range []string{`[1]`, `"x"`, `{`} {
		if got, err := Merge([]byte(`{}`), []byte(over)); err == nil {
			t.Errorf("%s: %s", over, got)
		}
	}
}

// FuzzMerge merges arbitrary JSON: the result is JSON, and the second document takes precedence.
func FuzzMerge(f *testing.F) {
	f.Add(`{"a":{"b":1}}`, `{"a":{"b":[2],"c":null},"é":"\u00e9"}`)
	f.Add(`{"a":1,"a":2}`, `{"a":{}}`)
	f.Fuzz(func(t *testing.T, a, b string) {
		out, err := Merge([]byte(a), []byte(b))
		if err != nil || strings.TrimSpace(b) == "" {
			return
		}
		root, err := jsondoc.Parse(out, jsondoc.Limits{Bytes: 1 << 30, Depth: 10_000, Values: 1 << 30})
		if err != nil {
			t.Fatalf("%s with %s: %s: %v", a, b, out, err)
		}
		over, err := jsondoc.Parse([]byte(b), limits)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range over.Members() {
			if got := root.Get(m.Name()); m.Kind() != jsondoc.Object && !m.Absent() && over.Get(m.Name()) == m &&
				len(over.Repeated()) == 0 && string(got.Bytes()) != string(m.Bytes()) {
				t.Fatalf("%s with %s: %s", a, b, out)
			}
		}
	})
}

func TestNamesOfFilesGiveMetadata(t *testing.T) {
	for _, c := range []struct{ pattern, name, want string }{
		{"{externalId}_{extended.campaign}", "4711_spring sale.wav",
			`{"externalId":"4711","extended":{"campaign":"spring sale"}}`},
		{"{}-{callDetails.agent.fullName}", "x-y-Ann.wav", `{"callDetails":{"agent":{"fullName":"y-Ann"}}}`},
		{"rec.{externalId}", "rec.1.2.wav", `{"externalId":"1.2"}`},
		{"{callDetails.callStartTime}", "20260115101500.wav",
			`{"callDetails":{"callStartTime":"2026-01-15T10:15:00"}}`},
		{"{callDetails.callStartTime}", "2026-01-15.wav", `{"callDetails":{"callStartTime":"2026-01-15"}}`},
	} {
		p, err := ParsePattern(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := p.read("calls/" + c.name); err != nil || string(got) != c.want {
			t.Errorf("%s, %s: %s (%v)", c.pattern, c.name, got, err)
		}
	}
	for _, pattern := range []string{"", "x", "{", "}", "{externalId", "a}b{externalId}", "{externalId}{title}",
		"{title}_{title}", "{nobody}", "{extended.}"} {
		if _, err := ParsePattern(pattern); err == nil {
			t.Errorf("%q is taken", pattern)
		}
	}
	p, err := ParsePattern("{callDetails.callStartTime}")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.read("yesterday.wav"); err == nil ||
		!strings.Contains(err.Error(), `yesterday.wav: callDetails.callStartTime "yesterday": write an ISO 8601`) {
		t.Error(err)
	}
}

// FuzzPattern matches arbitrary names with arbitrary patterns: the result is metadata that servers accept.
func FuzzPattern(f *testing.F) {
	f.Add("{externalId}_{extended.campaign}", "1_2.wav")
	f.Add("{}.{callDetails.callStartTime}-", "x.20260115T101500-.wav")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		p, err := ParsePattern(pattern)
		if err != nil {
			return
		}
		known, err := p.read(name)
		if err != nil {
			return
		}
		if _, err := media.ParseMetadata(known); err != nil {
			t.Fatalf("%q, %q: %s: %v", pattern, name, known, err)
		}
	})
}

// FuzzCSV reads arbitrary tables: the result is metadata that servers accept, or positions of mistakes.
func FuzzCSV(f *testing.F) {
	f.Add("file,externalId\na.wav,1\n")
	f.Add("\xef\xbb\xbffile;extended.x\nb.wav;\"2\n3\"\n")
	f.Add("file,callDetails.callStartTime\na.wav,x\n")
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "m.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		rows, _, err := readCSV(Sources{CSV: path}, []Recording{{Path: "a.wav"}, {Path: "b.wav"}})
		if err != nil && !strings.HasPrefix(err.Error(), path) {
			t.Fatal(err)
		}
		for _, known := range rows {
			if _, err := media.ParseMetadata(known); err != nil {
				t.Fatalf("%q: %s: %v", text, known, err)
			}
		}
	})
}

// TestRowsOfFilesThatAreNotThereAreMistakes has rows of a file that is sent, one that exists but is not sent, and one
// that does not exist.
func TestRowsOfFilesThatAreNotThereAreMistakes(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "m.csv")
	for name, text := range map[string]string{
		"m.csv": "file,externalId\nsub\\a.wav,1\nb.wav,2\ngone.wav,3\n", "sub/a.wav": "a", "b.wav": "b",
	} {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700),
			os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	a := filepath.Join(dir, "sub", "a.wav")
	_, _, err := readCSV(Sources{CSV: path}, []Recording{{Path: a}})
	if want := path + `:4:1: there is no file "gone.wav" in ` + dir; err == nil ||
		!strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	rows, warnings, err := readCSV(Sources{CSV: path, SkipMissing: true}, []Recording{{Path: a}})
	if err != nil || string(rows[a]) != `{"externalId":"1"}` {
		t.Errorf("%s, %v", rows, err)
	}
	want := []string{
		path + `: 1 row of a file that does not exist: "gone.wav" on line 4`,
		path + `: 1 row of a file that is not sent: "b.wav" on line 3`,
	}
	if !slices.Equal(warnings, want) {
		t.Errorf("%q, want %q", warnings, want)
	}
}

// TestTablesAreReadAsSpreadsheetsWriteThem covers separators, a line that names the separator, and rows and columns
// without content.
func TestTablesAreReadAsSpreadsheetsWriteThem(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.csv")
	for _, text := range []string{
		"file,externalId\na.wav,1\n", "file;externalId\na.wav;1\n", "file\texternalId\na.wav\t1\n",
		"file|externalId\na.wav|1\n",
		"sep=;\r\nfile;externalId\r\na.wav;1\r\n", "sep=,\nfile,externalId\na.wav,1\n",
		"file,externalId,\na.wav,1,\n,,\n",
		"file,externalId\n , \na.wav,1\n,\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		rows, _, err := readCSV(Sources{CSV: path}, []Recording{{Path: "a.wav"}})
		if err != nil || string(rows["a.wav"]) != `{"externalId":"1"}` {
			t.Errorf("%q: %s, %v", text, rows, err)
		}
	}
}

func TestATableIsReadInItsEncodingOrRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.csv")
	for text, want := range map[string]string{
		"file,title\na.wav,Ren\xe9\n": path + ":2: the byte 0xE9 is not UTF-8",
		"\xff\xfef\x00i\x00l\x00e\x00;\x00t\x00i\x00t\x00l\x00e\x00\n\x00a\x00;\x00\xe9\x00": "",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		rows, _, err := readCSV(Sources{CSV: path}, []Recording{{Path: "a"}})
		if want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) || want == "" &&
			string(rows["a"]) != `{"title":"é"}` {
			t.Errorf("%q: %s, %v", text, rows, err)
		}
	}
}

func TestALedgerOutlivesACrashAndOtherProcesses(t *testing.T) {
	dir := t.TempDir()
	open := func(server string) *Ledger {
		t.Helper()
		l, err := OpenLedger(dir, server)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	a, b := open("http://one"), open("http://one")
	if err := errors.Join(a.Add(Entry{Sum: "s1", MediaID: "m1", File: "a.wav"}),
		b.Add(Entry{Sum: "s2", MediaID: "m2", File: "b.wav", Time: time.Now()})); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(a.path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"sha256":"s3","media`); err != nil { // the power failed
		t.Fatal(err)
	}
	f.Close()
	if err := open("http://one").Add(Entry{Sum: "s1", MediaID: "m4", File: "a.wav"}); err != nil {
		t.Fatal(err)
	}
	again := open("http://one")
	for sum, want := range map[Sum]string{"s1": "m4", "s2": "m2", "s3": ""} {
		if got, _ := again.Find(sum); got.MediaID != want {
			t.Errorf("%s: %q, want %q", sum, got.MediaID, want)
		}
	}
	if _, ok := open("http://two").Find("s1"); ok {
		t.Error("another server has it too")
	}
}

func TestNoMoreThanTwentyMistakesOfATableAreTold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.csv")
	text := "file,callDetails.callDirection\n" + strings.Repeat("a.wav,up\n", 100)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err := readCSV(Sources{CSV: path}, nil)
	if err == nil || strings.Count(err.Error(), "\n") != maxMistakes-1 {
		t.Error(err)
	}
}

func TestFieldsOfMetadataAreThoseOfTheDocumentation(t *testing.T) {
	page, err := os.ReadFile("../../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range media.MetadataFields() {
		if !strings.Contains(string(page), field[strings.LastIndex(field, ".")+1:]) {
			t.Errorf("%s is not in docs/cli.md", field)
		}
	}
	if !slices.Contains(media.MetadataFields(), "callDetails.agent.fullName") ||
		slices.Contains(media.MetadataFields(), "extended") {
		t.Error(media.MetadataFields())
	}
	var known map[string]any
	if one, err := (field{"callDetails.agent.fullName", `A "B"`}).add([]byte("{}")); err != nil ||
		json.Unmarshal(one, &known) != nil {
		t.Errorf("%s: %v", one, err)
	}
}

func TestLedgersOfVersion1StayReadable(t *testing.T) {
	want := Entry{
		Sum:     "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03",
		MediaID: "01912c45-5f3c-7d1a-9b1e-0a8d5c2f4e11",
		File:    "/calls/a.wav", Time: time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC), Metadata: SumOfDocuments("{}"),
		Processing: SumOfDocuments("{}", ""),
	}
	folder := t.TempDir()
	l, err := OpenLedger(folder, "https://parley.example.com")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Add(want); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "067f566c0d8f1efe.jsonl")
	present, err := os.ReadFile(l.path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, verify.Golden(t, "ledger", 1, present), 0o600); err != nil {
		t.Fatal(err)
	}
	if l.path != file {
		t.Errorf("it lies in %s", l.path)
	}
	l, err = OpenLedger(folder, "https://parley.example.com")
	if got, ok := l.Find(want.Sum); err != nil || !ok || got != want {
		t.Errorf("%+v, %v", got, err)
	}
}
