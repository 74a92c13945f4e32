package main

import (
	"bytes"
	"compress/gzip"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestTextIsReadAsItIsSaid(t *testing.T) {
	for text, want := range map[string]string{
		"Ok, I'm calling about my bill.": "okay i'm calling about my bill",
		"It's $138.65 - due at 7 PM": "it's one hundred thirty eight dollars and sixty five cents due at " +
			"seven p. m.",
		"“Don’t” — thats all…":                "don't that's all",
		"My number is 555-1234":               "my number is five five five one two three four",
		"A DVR on channel 5?":                 "a d. v. r. on channel five",
		"I want a table":                      "i want a table",
		"good-bye":                            "good bye",
		"":                                    "",
		"!!!":                                 "",
		"She said: \"March 3rd\" (at 10:30).": "she said march third at ten thirty",
	} {
		if got := strings.Join(say(text), " "); got != want {
			t.Errorf("%q is said %q, want %q", text, got, want)
		}
	}
}

func TestPatternsMakeTheirSentences(t *testing.T) {
	p, err := parse("# colours\ncolour = red | dark blue\n\n[very] (big | small) <colour> box\n")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range p.samples(200, rand.New(rand.NewPCG(1, 1))) {
		got = append(got, strings.Join(s, " "))
	}
	slices.Sort(got)
	var want []string
	for _, very := range []string{"", "very "} {
		for _, size := range []string{"big", "small"} {
			for _, colour := range []string{"red", "dark blue"} {
				want = append(want, very+size+" "+colour+" box")
			}
		}
	}
	slices.Sort(want)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("sentences %q, want %q", got, want)
	}
}

func TestWrongPatternsAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"fine\n(a | b":   "line 2: \")\" is missing",
		"a ]":            "line 1: unexpected \"]\"",
		"see <nothing>":  "<nothing>",
		"c = <d>\nsay c": "<d>",
	} {
		if _, err := parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one about %s", text, err, want)
		}
	}
}

// TestAllPatternsCanBeHeard needs the dictionary of the package pocketsphinx-en-us.
func TestAllPatternsCanBeHeard(t *testing.T) {
	p, err := parse(patterns)
	if err != nil {
		t.Fatal(err)
	}
	known, err := readDictionary("/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict")
	if err != nil {
		t.Fatalf("install the package pocketsphinx-en-us: %v", err)
	}
	if lacking := missing(p.samples(300, rand.New(rand.NewPCG(1, 1))), known); len(lacking) > 0 {
		t.Errorf("the dictionary lacks %q", lacking)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("a = b | c\n(<a> | [d]) e")
	f.Add("a = <a>")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := parse(text)
		if err == nil && len(p.sentences) > len(strings.Split(text, "\n")) {
			t.Error("more sentences than lines")
		}
	})
}

func TestModelOfAFolderIsAlwaysTheSame(t *testing.T) {
	dir := t.TempDir()
	var text bytes.Buffer
	z := gzip.NewWriter(&text)
	z.Write([]byte("agent\tThank you for calling, how can I help you?\nuser\tI'd like 2 tickets.\n"))
	z.Close()
	if err := os.WriteFile(filepath.Join(dir, "calls.tsv.gz"), text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	dictionary := filepath.Join(dir, "words.dict")
	if err := os.WriteFile(dictionary,
		[]byte("thank TH AE NG K\nyou Y UW\nfor F AO R\nhow HH AW\ncan K AE N\ni AY\nhelp HH EH L P\ntwo T UW\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	var models [][]byte
	for _, name := range []string{"first.gz", "second.gz"} {
		o := options{dialogue: dir, dictionary: dictionary, out: filepath.Join(dir, "out", name), order: 3, samples: 2}
		os.Mkdir(filepath.Dir(o.out), 0o700)
		if err := o.run(); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(o.out)
		if err != nil {
			t.Fatal(err)
		}
		models = append(models, data)
	}
	if !bytes.Equal(models[0], models[1]) || len(models[0]) < 100 {
		t.Errorf("models of %d and %d bytes differ", len(models[0]), len(models[1]))
	}
}

func TestAFolderWithoutTextsIsAnError(t *testing.T) {
	o := options{dialogue: t.TempDir(), dictionary: os.DevNull, order: 3}
	if err := o.run(); err == nil || !strings.Contains(err.Error(), "no texts") {
		t.Errorf("error %v, want one about missing texts", err)
	}
}
