package wire

import (
	"strings"
	"time"

	"parley/internal/call/caption"
	"parley/internal/words/list"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
)

// Transcript is the section of a media item of the same name.
type Transcript struct {
	Confidence       float64     `json:"confidence"`
	Words            []Word      `json:"words"`
	Turns            []Turn      `json:"turns,omitzero"`
	VoiceActivity    []Activity  `json:"voiceActivity,omitzero"`
	AlternateFormats []Alternate `json:"alternateFormats,omitempty"`
}

// Word is a spoken word, a punctuation mark (m has punc), a placeholder of redacted words (m has redacted) or a change
// of speaker (m has turn, w is the name).
type Word struct {
	P   *int        `json:"p,omitempty"` // index among all entries, from 0; nil if it is left out
	C   float64     `json:"c"`           // confidence 0..1; 1 if there was no recognition
	S   int64       `json:"s"`           // ms
	E   int64       `json:"e"`           // ms
	M   string      `json:"m,omitempty"` // markers, separated by |
	V   *float64    `json:"v,omitempty"` // relative volume
	W   string      `json:"w"`
	Frq []Frequency `json:"frq,omitempty"`
}

// Markers of a Word.
const (
	MarkTurn        = "turn"
	MarkPunctuation = "punc"
	MarkRedacted    = "redacted"
)

// Frequency is one spectral peak of a word.
type Frequency struct {
	F float64 `json:"f"` // Hz
	E float64 `json:"e"` // relative energy 0..1
}

// Turn is what one speaker of a stereo call says before the other speaks.
type Turn struct {
	Speaker string  `json:"speaker"`
	Text    *string `json:"text,omitempty"` // nil if it is left out
	S       int64   `json:"s"`              // ms
	E       int64   `json:"e"`              // ms
}

// Activity lists the times at which a speaker talks.
type Activity struct {
	SpeakerName string       `json:"speakerName"`
	Occurrences []Occurrence `json:"occurrences"`
}

// Occurrence is a time interval.
type Occurrence struct {
	S int64 `json:"s"` // ms
	E int64 `json:"e"` // ms
}

// Alternate is a transcript in another format.
type Alternate struct {
	Format          caption.Format `json:"format"`
	ContentType     string         `json:"contentType"`
	ContentEncoding string         `json:"contentEncoding"`
	Charset         string         `json:"charset"`
	Data            []byte         `json:"data"` // Base64 on the wire
}

// TranscriptResource is the answer of GET …/transcript.
type TranscriptResource struct {
	Summary
	Transcript *Transcript `json:"transcript"`

	// The same values at the root, for clients that expect a bare transcript.
	Confidence       float64     `json:"confidence"`
	Words            []Word      `json:"words"`
	AlternateFormats []Alternate `json:"alternateFormats,omitempty"`
}

// NewTranscript returns the transcript of a finished media item in JSON, including the requested alternate formats.
// Confidence, words and formats are repeated at the root.
func NewTranscript(m *media.Media, t *transcript.Transcript, alternates []caption.Format) TranscriptResource {
	return NewTranscriptWithout(0, m, t, alternates)
}

// NewTranscriptWithout is NewTranscript that leaves out some parts.
func NewTranscriptWithout(omit Parts, m *media.Media, t *transcript.Transcript, alternates []caption.Format) TranscriptResource {
	r := TranscriptResource{Summary: NewSummary(m), Transcript: newTranscript(t, omit, alternates)}
	r.Links = self("media", string(m.ID), "transcript")
	r.Metadata = nil
	r.Confidence, r.Words, r.AlternateFormats = r.Transcript.Confidence, r.Transcript.Words,
		r.Transcript.AlternateFormats
	return r
}

// speechGap is the minimum pause between two intervals of voice activity.
const speechGap = 300 * time.Millisecond

func newTranscript(t *transcript.Transcript, omit Parts, alternates []caption.Format) *Transcript {
	if t == nil {
		return nil
	}
	w := &Transcript{Confidence: round(t.Confidence(), 3), Words: []Word{}}
	if omit&partWords == 0 {
		w.Words = words(t, omit)
	}
	if t.Stereo() && omit&partTurns == 0 {
		w.Turns = turns(t, omit)
	}
	if t.Named() && omit&partActivity == 0 {
		w.VoiceActivity = activity(t)
	}
	for i, content := range caption.RenderAll(t, alternates) {
		w.AlternateFormats = append(w.AlternateFormats, alternate(alternates[i], content))
	}
	return w
}

func words(t *transcript.Transcript, omit Parts) []Word {
	list := make([]Word, 0, entries(t))
	for i, w := range t.Words {
		if begins(t, i) {
			end := runEnd(t.Words[i:])
			list = append(list, Word{C: 1, S: ms(w.Start), E: ms(end), M: MarkTurn, W: t.Speakers[w.Speaker].Name})
		}
		list = append(list, newWord(w, omit))
	}
	if omit&partPositions == 0 {
		positions := make([]int, len(list)) // one allocation for all
		for i := range list {
			positions[i] = i
			list[i].P = &positions[i]
		}
	}
	return list
}

// begins reports whether a change-of-speaker entry precedes a word.
func begins(t *transcript.Transcript, i int) bool {
	return t.Named() && (i == 0 || t.Words[i-1].Speaker != t.Words[i].Speaker)
}

// entries returns the number of entries in the list of words: words and changes of speaker.
func entries(t *transcript.Transcript) int {
	n := len(t.Words)
	for i := range t.Words {
		if begins(t, i) {
			n++
		}
	}
	return n
}

// runEnd returns the end of the run of words by the first word's speaker.
func runEnd(words []transcript.Word) time.Duration {
	end := words[0].End
	for _, w := range words {
		if w.Speaker != words[0].Speaker {
			break
		}
		end = max(end, w.End)
	}
	return end
}

func newWord(w transcript.Word, omit Parts) Word {
	word := Word{C: round(w.Confidence, 3), S: ms(w.Start), E: ms(w.End), W: w.Text,
		M: strings.Join(w.Markers, "|")}
	if w.Kind == transcript.Punctuation {
		word.C, word.M = 1, strings.Join(append([]string{MarkPunctuation}, w.Markers...), "|")
	}
	if w.Kind == transcript.Redacted {
		word.M = strings.Join(append([]string{MarkRedacted}, w.Markers...), "|")
	}
	if w.Voice != nil && omit&partVolume == 0 {
		word.V = new(round(w.Voice.Volume, 3))
	}
	if w.Voice != nil && omit&partFrequencies == 0 {
		word.Frq = list.Map(w.Voice.Peaks, func(p transcript.Peak) Frequency {
			return Frequency{F: round(p.Frequency, 1), E: round(p.Energy, 3)}
		})
	}
	return word
}

func turns(t *transcript.Transcript, omit Parts) []Turn {
	return list.Map(t.Turns(), func(u transcript.Turn) Turn {
		turn := Turn{Speaker: t.Speakers[u.Speaker].Name, S: ms(u.Start), E: ms(u.End)}
		if omit&partText == 0 {
			turn.Text = new(t.Text(u.Words))
		}
		return turn
	})
}

func activity(t *transcript.Transcript) []Activity {
	list := []Activity{}
	for speaker, intervals := range t.VoiceActivity(speechGap) {
		spoken := make([]Occurrence, len(intervals))
		for i, v := range intervals {
			spoken[i] = Occurrence{ms(v.From), ms(v.To)}
		}
		list = append(list, Activity{t.Speakers[speaker].Name, spoken})
	}
	return list
}

func alternate(f caption.Format, content []byte) Alternate {
	return Alternate{Format: f, ContentType: f.ContentType(), ContentEncoding: "Base64", Charset: "utf-8",
		Data: content}
}

func ms(d time.Duration) int64 { return d.Milliseconds() }
