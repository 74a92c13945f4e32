package transcript

import (
	"strings"
	"testing"
	"time"
)

// said returns a transcript of lines "A 0 some words. More"; each word lasts 300 ms and starts 400 ms after the
// previous one, from the given second on.
func said(lines ...string) *Transcript {
	t := &Transcript{Speakers: []Speaker{{Name: "A", Channel: 0}, {Name: "B", Channel: 1}}}
	var channels [2][]Word
	for _, line := range lines {
		f := strings.Fields(line)
		speaker := strings.Index("AB", f[0])
		at, err := time.ParseDuration(f[1])
		if err != nil {
			panic(err)
		}
		for _, text := range f[2:] {
			bare := strings.TrimRight(text, ".?!,")
			if bare != "" {
				channels[speaker] = append(channels[speaker],
					Word{Text: bare, Start: at, End: at + 300*time.Millisecond, Speaker: speaker})
			}
			if mark := text[len(bare):]; mark != "" {
				channels[speaker] = append(channels[speaker],
					Word{Text: mark, Kind: Punctuation, Start: at + 300*time.Millisecond,
						End: at + 300*time.Millisecond, Speaker: speaker})
			}
			at += 400 * time.Millisecond
		}
	}
	t.Words = Merge(channels[0], channels[1])
	return t
}

func sentences(t *Transcript) string {
	var all []string
	for _, s := range t.Sentences() {
		all = append(all, t.Speakers[s.Speaker].Name+": "+t.Text(s.Words))
	}
	return strings.Join(all, " / ")
}

func TestSentencesEndAtMarksAndTurns(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"marks": {[]string{"A 0s Hello, there. How are you? Well"},
			"A: Hello, there. / A: How are you? / A: Well"},
		"turns": {[]string{"A 0s how are", "B 1s fine. And"}, "A: how are / B: fine. / B: And"},
		"a yeah in between": {[]string{"A 0s I think that it is so.", "B 1s yeah"},
			"A: I think that it is so. / B: yeah"},
		"pauses, no marks":   {[]string{"A 0s one two", "A 3s three"}, "A: one two / A: three"},
		"pauses, with marks": {[]string{"A 0s one two", "A 3s three."}, "A: one two three."},
		"a mark alone":       {[]string{"A 0s .", "A 1s so"}, "A: so"},
		"nothing":            {nil, ""},
	} {
		if got := sentences(said(c.lines...)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestSentencesEndAtTheMarksOfAllScripts(t *testing.T) {
	for mark, want := range map[string]bool{".": true, "?!": true, "...": true, "…": true, "。": true, "？": true,
		"؟": true, "।": true, ",": false, "،": false, "、": false, "：": false, ":": false, "—": false} {
		if got := EndsSentence(mark); got != want {
			t.Errorf("%q ends a sentence: %v, want %v", mark, got, want)
		}
	}
}

func TestSentencesHaveTheTimesOfTheirWords(t *testing.T) {
	s := said("A 1s so it is. Yes").Sentences()[0]
	if s.Start != time.Second || s.End != 2100*time.Millisecond {
		t.Errorf("sentence from %v to %v, want 1s to 2.1s", s.Start, s.End)
	}
}
