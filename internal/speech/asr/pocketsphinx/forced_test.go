package pocketsphinx_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/speech/audio"
	"parley/internal/testkit/verify"
	"parley/internal/words/sound"
)

// phrases makes each word a phrase; its spoken forms are separated by slashes.
func phrases(text string) []asr.Phrase {
	var all []asr.Phrase
	for _, w := range strings.Fields(text) {
		var p asr.Phrase
		for _, form := range strings.Split(w, "/") {
			p.Forms = append(p.Forms, strings.Split(form, "_"))
		}
		all = append(all, p)
	}
	return all
}

func TestAKnownTextIsFoundInTheAudio(t *testing.T) {
	r := recognizer(t)
	pcm := say(t, "please call six five oh about the parlexo dashboard")
	for _, c := range []struct{ name, text, want string }{
		{"as it is said", "please call six five oh about the parlexo dashboard",
			"please call six five oh about the parlexo dashboard"},
		{"in one of several ways", "please call six_fifty/six_five_oh about the parlexo dashboard",
			"please call six five oh about the parlexo dashboard"},
		{"with neighbours of other audio", "so anyway please call six five oh about the parlexo dashboard thanks bye",
			"please call six five oh about the parlexo dashboard"},
		{"with what cannot be said", "please call ♪ six five oh about the parlexo dashboard",
			"please call six five oh about the parlexo dashboard"},
		{"nothing that can be said", "♪ ♪", ""},
	} {
		if got := heard(t, r, asr.Request{PCM: pcm, Expected: phrases(c.text)}); got != c.want {
			t.Errorf("%s: heard %q, want %q", c.name, got, c.want)
		}
	}
	if got, want := heard(t, r, asr.Request{PCM: say(t, "how old is the brooklyn bridge")}),
		"how old is the brooklyn bridge"; got != want {
		t.Errorf("after a known text it heard %q, want %q", got, want)
	}
}

func TestGrammarSignsInATextAreHarmless(t *testing.T) {
	r := recognizer(t)
	text := []asr.Phrase{{Forms: [][]string{{"]"}, {"public <x> = y;"}}}, {Forms: [][]string{{"please"}}},
		{Forms: [][]string{{}}}, {}, {Forms: [][]string{{"x2x"}, {"a;b"}, {"\x00"}}}}
	if _, err := r.Recognize(context.Background(),
		asr.Request{PCM: say(t, "please call"), Expected: text}); err != nil {
		t.Error(err)
	}
}

// decoded returns a recording as 16 kHz PCM.
func decoded(t *testing.T, file string) *sound.PCM {
	t.Helper()
	d, err := (&audio.Decoder{}).Decode(t.Context(), file, "audio/x-wav")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	pcm, err := d.Track(0).Read(sound.Segment{End: d.Length})
	if err != nil {
		t.Fatal(err)
	}
	return pcm
}

func TestWordsOfReadSpeechAreWhereTheReferenceHasThem(t *testing.T) {
	verify.Long(t)
	data := os.Getenv("PARLEY_DATA")
	if data == "" {
		t.Skip("PARLEY_DATA is not set; it names a folder of recordings for tests")
	}
	r := recognizer(t)
	var off []time.Duration
	for _, name := range []string{"0870", "0880"} {
		raw, err := os.ReadFile(filepath.Join(data, "audio", "librivox", name+".align.json"))
		if err != nil {
			t.Fatal(err)
		}
		var reference struct {
			T string
			W []struct {
				B float64
				T string
			}
		}
		if err := json.Unmarshal(raw, &reference); err != nil {
			t.Fatal(err)
		}
		pcm := decoded(t, filepath.Join(data, "audio", "librivox", name+".wav"))
		found, err := r.Recognize(t.Context(), asr.Request{PCM: pcm, Expected: phrases(reference.T)})
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		for _, w := range reference.W {
			if w.T == "<sil>" {
				continue
			}
			if i == len(found.Words) {
				t.Fatalf("only %d words found", i)
			}
			off = append(off, (found.Words[i].Start - time.Duration(w.B*float64(time.Second))).Abs())
			i++
		}
	}
	slices.Sort(off)
	if median := off[len(off)/2]; median >= 60*time.Millisecond {
		t.Errorf("half of the words begin more than %v off", median)
	}
}
