package knowledge

import (
	"bytes"
	"compress/gzip"
	"io"
	"testing"
)

// Unpack reads the built-in lexicon.
func Unpack() (*Lexicon, error) { return ReadLexicon(bytes.NewReader(embedded)) }

func sampleLexicon(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	err := WriteLexicon(&b, []Subtopic{{"Pets", "Dogs"}, {"Food", "Fruit"}}, []Entry{
		{Lemma: "dog", Noun: 9, Verb: 2, Rarity: 150, Topics: []Membership{{0, 15}, {1, 3}}},
		{Lemma: "apple", Noun: 7, Rarity: 170, Topics: []Membership{{1, 15}}},
		{Lemma: "big apple", Noun: 1, Compound: true, Proper: true},
	}, []Irregular{{"geese", "goose"}})
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestLexiconsAreReadAsTheyWereWritten(t *testing.T) {
	l, err := ReadLexicon(bytes.NewReader(sampleLexicon(t)))
	if err != nil {
		t.Fatal(err)
	}
	dog, city := l.facts[l.lemmas.find("dog")], l.facts[l.lemmas.find("big apple")]
	if dog.noun != 9 || dog.verb != 2 || dog.rarity != 150 || dog.topicsTo-dog.topics != 2 ||
		l.members[dog.topics] != (Membership{0, 15}) {
		t.Errorf("dog: %+v", dog)
	}
	if !city.compound || !city.proper || city.topicsTo != city.topics {
		t.Errorf("big apple: %+v", city)
	}
	if l.bases[l.forms.find("geese")] != "goose" || l.lemmas.find("cat") != -1 ||
		l.Subtopics[1] != (Subtopic{"Food", "Fruit"}) {
		t.Errorf("%+v", l)
	}
}

func TestDamagedLexiconsAreRefused(t *testing.T) {
	unpacked, err := gzip.NewReader(bytes.NewReader(sampleLexicon(t)))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		w.Write(whole[:n])
		w.Close()
		if _, err := ReadLexicon(&b); err == nil {
			t.Fatalf("%d of %d bytes are taken for a lexicon", n, len(whole))
		}
	}
}

func TestInflectedFormsHaveTheirLemma(t *testing.T) {
	l, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	r := &reader{lexicon: l, noise: readNoise(noiseLines), terms: map[string]*term{}}
	for form, want := range map[string]string{
		"packages": "package", "batteries": "battery", "mice": "mouse", "women": "woman", "boxes": "box",
		"cancelled": "cancel", "installing": "install",
		"paid": "pay", "bills": "bill", "address": "address", "business": "business", "stopped": "stop", "buses": "bus",
	} {
		if got := r.term(form).lemma; got != want {
			t.Errorf("%s: %s, want %s", form, got, want)
		}
	}
}
