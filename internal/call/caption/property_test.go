package caption

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley/internal/words/transcript"
)

// drawCall draws a call of one to three speakers whose own words don't overlap.
func drawCall(t *rapid.T) *transcript.Transcript {
	tr := &transcript.Transcript{Language: "en-US"}
	var channels [][]transcript.Word
	for s := range rapid.IntRange(1, 3).Draw(t, "speakers") {
		name := rapid.SampledFrom([]string{"Speaker", "Agent", "Caller",
			"A very long name of a speaker that needs a line of its own"}).Draw(t, "name")
		tr.Speakers = append(tr.Speakers, transcript.Speaker{Name: name, Channel: s})
		channels = append(channels, drawWords(t, s))
		for _, w := range channels[s] {
			tr.Length = max(tr.Length, w.End)
		}
	}
	tr.Words = transcript.Merge(channels...)
	tr.Length += time.Duration(rapid.IntRange(0, 5000).Draw(t, "rest")) * time.Millisecond
	return tr
}

func drawWords(t *rapid.T, speaker int) []transcript.Word {
	var words []transcript.Word
	at := time.Duration(0)
	for range rapid.IntRange(0, 60).Draw(t, "words") {
		if rapid.IntRange(0, 6).Draw(t, "mark") == 0 && len(words) > 0 {
			words = append(words, transcript.Word{Text: rapid.SampledFrom([]string{".", ",", "?"}).Draw(t, "text"),
				Kind: transcript.Punctuation, Start: at, End: at, Speaker: speaker})
			continue
		}
		at += time.Duration(rapid.SampledFrom([]int{0, 10, 40, 300, 800, 1600, 9000}).Draw(t,
			"pause")) * time.Millisecond
		end := at + time.Duration(rapid.SampledFrom([]int{10, 150, 300, 700, 8000}).Draw(t, "length"))*time.Millisecond
		text := rapid.StringMatching(`[a-z<&']{1,9}|[a-z]{50}`).Draw(t, "text")
		words = append(words, transcript.Word{Text: text, Start: at, End: end, Speaker: speaker})
		at = end
	}
	return words
}

func TestEachWordStandsInExactlyOneCueInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := drawCall(t)
		got := make([]strings.Builder, len(tr.Speakers))
		for _, c := range Cues(tr) {
			body := strings.TrimPrefix(strings.Join(c.Lines, ""), prefix(c.Name))
			got[c.Speaker].WriteString(strings.ReplaceAll(body, " ", ""))
		}
		for s := range tr.Speakers {
			want := ""
			for _, w := range tr.Words {
				if w.Speaker == s {
					want += w.Text
				}
			}
			if got[s].String() != want {
				t.Fatalf("speaker %d: cues say %q, the words are %q", s, got[s].String(), want)
			}
		}
	})
}

func TestCuesStayInsideTheMediaAndApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := drawCall(t)
		before := time.Duration(0)
		free := make([]time.Duration, len(tr.Speakers))
		for _, c := range Cues(tr) {
			if c.Start < before || c.Start < free[c.Speaker] {
				t.Fatalf("cue %v begins before the cues in front of it (%v, own %v)", c, before, free[c.Speaker])
			}
			if c.End <= c.Start || c.End > tr.Length {
				t.Fatalf("cue %v ends before its start or after the media (%v)", c, tr.Length)
			}
			before, free[c.Speaker] = c.Start, c.End
		}
	})
}

func TestCuesKeepTheirLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := drawCall(t)
		cues := Cues(tr)
		for i, c := range cues {
			if len(c.Lines) == 0 || len(c.Lines) > maxLines {
				t.Fatalf("cue has %d lines", len(c.Lines))
			}
			for _, line := range c.Lines {
				if line == "" || width(line) > maxLine &&
					strings.Contains(strings.TrimPrefix(line, prefix(c.Name)), " ") {
					t.Fatalf("line of %d characters: %q", width(line), line)
				}
			}
			if c.End-c.Start > longest {
				t.Fatalf("cue lasts %v", c.End-c.Start)
			}
			if room := roomBehind(tr, cues[i+1:], c); c.End-c.Start < min(shortest, room-c.Start) {
				t.Fatalf("cue lasts %v, there is room until %v", c.End-c.Start, room)
			}
		}
	})
}

// roomBehind returns the limit of a cue's end: the start of the same speaker's next cue, or the end of the media.
func roomBehind(tr *transcript.Transcript, later []Cue, c Cue) time.Duration {
	i := slices.IndexFunc(later, func(o Cue) bool { return o.Speaker == c.Speaker })
	if i < 0 {
		return tr.Length
	}
	return later[i].Start
}

func TestDFXPOfAnyCallFollowsTheSchema(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkTTML(t, Render(drawCall(t), DFXP)) })
}

func TestTextHasALineATurn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := drawCall(t)
		if got, want := strings.Count(string(Render(tr, Text)), "\n"), len(tr.Turns()); got != want {
			t.Fatalf("%d lines for %d turns", got, want)
		}
	})
}

func BenchmarkHourOfCaptions(b *testing.B) {
	tr := &transcript.Transcript{Speakers: []transcript.Speaker{{Name: "Agent"}, {Name: "Caller", Channel: 1}},
		Length: time.Hour}
	for at := time.Duration(0); at < time.Hour-20*time.Second; at += 18 * time.Second {
		tr.Words = append(tr.Words, said(0, at,
			"Thank you for calling Northwind Broadband, my name is Laura. How may I help you today my friend?")...)
		tr.Words = append(tr.Words, said(1, at+9*time.Second,
			"Hi, my internet has been down since this morning and I have already restarted the router twice, sorry "+
				"to say.")...)
	}
	for b.Loop() {
		for _, f := range Formats {
			Render(tr, f)
		}
	}
	b.ReportMetric(float64(len(tr.Words)), "words")
}
