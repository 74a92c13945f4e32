package pocketsphinx

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/words/vocabulary"
)

var entries = map[string][]string{
	"voice": {"V OY S"}, "base": {"B EY S"}, "four": {"F AO R"}, "and": {"AE N D", "AH N D"},
	"read": {"R EH D", "R IY D"},
	"a.":   {"EY"}, "b.": {"B IY"}, "t.": {"T IY"},
}

func lookup() *pronouncer {
	return &pronouncer{
		dictionary: func(word string) []string { return entries[word] },
		synthesise: func(_ context.Context, words []string) map[string]string {
			said := map[string]string{}
			for _, w := range words {
				if w == "kwyjibo" {
					said[w] = "K W IH JH IY B OW"
				}
			}
			return said
		},
	}
}

func TestWordsAreSaidByDictionaryPartsSynthesisOrLetters(t *testing.T) {
	p := lookup()
	p.learn(context.Background(), []string{"kwyjibo"})
	for phrase, want := range map[string][]string{
		"read":       {"R EH D", "R IY D"},
		"VoiceBase":  {"V OY S B EY S"},
		"voicebase":  {"V OY S B EY S"},
		"Voice 4":    {"V OY S F AO R"},
		"AT&T":       {"EY T IY AE N D T IY"},
		"A.B.":       {"EY B IY"},
		"Kwyjibo":    {"K W IH JH IY B OW"},
		"zap":        {"Z AE P"},
		"snaze":      {"S N EY Z"},
		"日本":         nil,
		"voice 日本":   nil,
		"":           nil,
		"...":        nil,
		"base-voice": {"B EY S V OY S"},
	} {
		if got := p.phrase(phrase); !reflect.DeepEqual(got, want) {
			t.Errorf("%q is said %q, want %q", phrase, got, want)
		}
	}
}

func TestEspeakKnowsTheUsualSoundsOfNames(t *testing.T) {
	got := espeak(context.Background(), []string{"voicebase", "siobhan", "不", "quinoa", "--version"})
	want := map[string]string{"voicebase": "V OY S B EY S", "siobhan": "SH IH V AO N", "quinoa": "K W IH N OW AH"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q (needs the package espeak-ng)", got, want)
	}
}

func TestPronunciationsAreUsedInTheOrderGiven(t *testing.T) {
	sounds := []string{"zap", "voice", "zap", "base", "four", "read", "voice base", "base voice", "four four",
		"zap zap"}
	lists := []vocabulary.Vocabulary{{Terms: []vocabulary.Term{{Text: "Zed", SoundsLike: sounds[:4]},
		{Text: "Many", SoundsLike: sounds}}}}
	found, warnings := terms(context.Background(), lists, lookup(), func(string) bool { return false })
	want := []term{
		{"Zed", []string{"Z AE P", "V OY S", "B EY S", "Z EH D"}, 0},
		{"Many", []string{"Z AE P", "V OY S", "B EY S", "F AO R", "R EH D", "R IY D", "V OY S B EY S", "B EY S V OY S"},
			0},
	}
	if !reflect.DeepEqual(found, want) {
		t.Errorf("terms %+v, want %+v", found, want)
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0], `"Many" has 11 pronunciations`) {
		t.Errorf("warnings %q, want one about Many", warnings)
	}
}

func TestTermsAreDistinctAndUnsayableOnesAreWarnedOf(t *testing.T) {
	lists := []vocabulary.Vocabulary{
		{Terms: []vocabulary.Term{{Text: "VoiceBase", Weight: 2}, {Text: "VoiceBase"}, {Text: " "}, {Text: "日本"},
			{Text: "日本語", SoundsLike: []string{"base voice"}}}},
		{Scripts: []string{"Read the voice, kwyjibo!"}},
	}
	modelHas := func(word string) bool { return word == "read" || word == "the" || word == "voice" }
	found, warnings := terms(context.Background(), lists, lookup(), modelHas)
	want := []term{{"VoiceBase", []string{"V OY S B EY S"}, 2}, {"日本語", []string{"B EY S V OY S"}, 0},
		{"kwyjibo", []string{"K W IH JH IY B OW"}, 0}}
	if !reflect.DeepEqual(found, want) {
		t.Errorf("terms %+v, want %+v", found, want)
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0], `"日本"`) {
		t.Errorf("warnings %q, want one about 日本", warnings)
	}
}

func TestPhraseBecomesItsWordsInItsTime(t *testing.T) {
	heard := []asr.Word{{Text: "the", End: time.Second, Confidence: 1},
		{Text: "=0", Start: time.Second, End: 3 * time.Second, Confidence: 0.5}, {Text: "=7"}}
	got := write(heard, []term{{text: "Blue Moon"}})
	want := []asr.Word{
		heard[0],
		{Text: "Blue", Start: time.Second, End: 2 * time.Second, Confidence: 0.5},
		{Text: "Moon", Start: 2 * time.Second, End: 3 * time.Second, Confidence: 0.5},
		heard[2],
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestDictionaryMarksAreNoWords(t *testing.T) {
	for entry, want := range map[string]string{"read(2)": "read", "read": "read", "<s>": "", "<sil>": "", "[NOISE]": "",
		"++UM++": "", "": "", "a.": "A", "b.(2)": "B"} {
		if got := spoken(entry); got != want {
			t.Errorf("%q is %q, want %q", entry, got, want)
		}
	}
}
