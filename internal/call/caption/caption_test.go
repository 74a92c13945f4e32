package caption

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/testkit/verify"
	"parley/internal/words/transcript"
)

// said returns words of one speaker, 300 ms each and 20 ms apart; a mark at a word's end becomes punctuation.
func said(speaker int, start time.Duration, text string) []transcript.Word {
	var words []transcript.Word
	for _, f := range strings.Fields(text) {
		bare := strings.TrimRight(f, ".,?!")
		words = append(words, transcript.Word{Text: bare, Start: start, End: start + 300*time.Millisecond,
			Confidence: 0.9, Speaker: speaker})
		if mark := f[len(bare):]; mark != "" {
			at := start + 300*time.Millisecond
			words = append(words, transcript.Word{Text: mark, Kind: transcript.Punctuation, Start: at, End: at,
				Speaker: speaker})
		}
		start += 320 * time.Millisecond
	}
	return words
}

func call() *transcript.Transcript {
	agent := slices.Concat(
		said(0, 500*time.Millisecond, "Thank you for calling Northwind Broadband, my name is Laura. How may I help "+
			"you today?"),
		said(0, 14*time.Second, "I am sorry to hear that. Let me look at the line for you, it will only take a "+
			"moment & no more."),
	)
	caller := slices.Concat(
		said(1, 6*time.Second, "Hi, my internet has been down since this morning and I have <already> restarted the "+
			"router twice."),
		said(1, 15*time.Second, "Sure"),
	)
	return &transcript.Transcript{
		Language: "en-US",
		Speakers: []transcript.Speaker{{Name: "Agent", Role: transcript.Agent},
			{Name: "Caller", Role: transcript.Caller, Channel: 1}},
		Words:  transcript.Merge(agent, caller),
		Length: 22 * time.Second,
	}
}

func mono() *transcript.Transcript {
	return &transcript.Transcript{
		Language: "en-US",
		Speakers: []transcript.Speaker{{Name: transcript.DefaultSpeaker, Channel: transcript.NoChannel}},
		Words:    said(0, 0, "One speaker has no name, so nothing stands in front."),
		Length:   4 * time.Second,
	}
}

func TestFormatsLookAsDocumented(t *testing.T) {
	for name, tr := range map[string]*transcript.Transcript{"call": call(), "mono": mono(),
		"silence": {Language: "en-US", Length: time.Second}} {
		for _, f := range Formats {
			verify.Same(t, filepath.Join("testdata", name+f.Extension()), Render(tr, f))
		}
	}
}

func TestFormatNamesAreReadWithoutCase(t *testing.T) {
	for _, f := range All {
		got, ok := ParseFormat(" " + strings.ToUpper(string(f)))
		if !ok || got != f {
			t.Errorf("ParseFormat(%s) = %q, %v", f, got, ok)
		}
	}
	for _, name := range []string{"", "vtt"} {
		if got, ok := ParseFormat(name); ok {
			t.Errorf("ParseFormat(%q) = %q; it is no format", name, got)
		}
	}
}

func TestShortWordsStayLongEnoughToRead(t *testing.T) {
	cues := Cues(call())
	i := slices.IndexFunc(cues, func(c Cue) bool { return strings.Contains(c.Lines[0], "Sure") })
	if i < 0 {
		t.Fatal("no cue for the caller's Sure")
	}
	if got := cues[i].End - cues[i].Start; got != shortest {
		t.Errorf("cue lasts %v, want %v", got, shortest)
	}
}

func TestNameReturnsAfterTheOtherPartySpoke(t *testing.T) {
	for i, c := range Cues(call()) {
		changed := i == 0 || Cues(call())[i-1].Speaker != c.Speaker
		if strings.HasPrefix(c.Lines[0], c.Name+": ") != changed {
			t.Errorf("cue %d: speaker changed %v, first line %q", i, changed, c.Lines[0])
		}
	}
}

func TestTextCannotBreakTheFormats(t *testing.T) {
	hostile := &transcript.Transcript{
		Language: `en"><x`,
		Speakers: []transcript.Speaker{{Name: "A>\n<b", Channel: 0}, {Name: "-->", Channel: 1}},
		Words: []transcript.Word{
			{Text: "a\n\n2\n00:00:00,000 --> 00:00:01,000", End: time.Second},
			{Text: "</v>&\x00\xff]]>", Start: time.Second, End: 2 * time.Second, Speaker: 1},
		},
		Length: 2 * time.Second,
	}
	for _, f := range []Format{SRT, WebVTT} {
		body := string(Render(hostile, f))
		if got := strings.Count(body, "-->"); got != 2 {
			t.Errorf("%s has %d lines of times, want 2:\n%s", f, got, body)
		}
	}
	checkTTML(t, Render(hostile, DFXP))
}
