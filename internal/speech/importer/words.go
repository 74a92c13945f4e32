package importer

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/internal/words/mark"
	"parley/internal/words/transcript"
)

// entry is one element of words in the format of this service and of VoiceBase; times are in milliseconds.
type entry struct {
	W   *string `json:"w"`
	M   string  `json:"m"`
	S   number  `json:"s"`
	E   number  `json:"e"`
	C   number  `json:"c"`
	V   number  `json:"v"`
	Frq few[struct {
		F number `json:"f"` // Hz
		E number `json:"e"`
	}] `json:"frq"`
}

// Markers of entries that are not spoken words.
const (
	turnMarker        = "turn"
	punctuationMarker = "punc"
	redactedMarker    = "redacted"
)

// marker returns the index of a marker in a list, ignoring case; -1 if not found.
func marker(markers []string, name string) int {
	return slices.IndexFunc(markers, func(m string) bool { return strings.EqualFold(m, name) })
}

// readWords reads {"words":[…]} with entries for words, punctuation and turns. voiceActivity lists the speakers in
// order; if turns are present beside the words, each speaker has a channel.
func readWords(d *draft, raw []byte) error {
	top := keys(raw)
	stereo := top["turns"] != nil
	err := each(top["voiceActivity"], "voiceActivity", func(_ int, a struct {
		SpeakerName string `json:"speakerName"`
	}) error {
		_, err := d.party(a.SpeakerName, stereo)
		return err
	})
	if err != nil {
		return err
	}
	now := -1
	return each(top["words"], "words", func(_ int, e entry) (err error) {
		if e.W == nil {
			return errors.New("w (the word) is missing")
		}
		markers := strings.FieldsFunc(e.M, func(r rune) bool { return r == '|' })
		if marker(markers, turnMarker) >= 0 {
			now, err = d.party(strings.TrimSuffix(clean(*e.W), ":"), stereo)
			return err
		}
		if now < 0 {
			if now, err = d.mono(); err != nil {
				return err
			}
		}
		return d.entry(now, e, markers)
	})
}

// party returns the speaker with the given name. With stereo, a new speaker gets the next channel.
func (d *draft) party(name string, stereo bool) (int, error) {
	channel := transcript.NoChannel
	if stereo {
		channel = len(d.speakers)
	}
	return d.speaker(name, channel)
}

// masked is the text written by services in place of a disallowed word, when the entry has a duration.
const masked = "..."

// entry adds a word with its punctuation, or a mark. Placeholders of other words are added unchanged.
func (d *draft) entry(speaker int, e entry, markers []string) error {
	start, end, given, err := span{e.S, e.E, time.Millisecond}.times()
	if err != nil {
		return err
	}
	w := transcript.Word{Text: clean(*e.W), Start: start, End: end, Confidence: confidence(e.C), Speaker: speaker}
	if w.Text == "" {
		return nil
	}
	if len(e.M) > maxText {
		return fmt.Errorf("m (the markers) of the word %q is longer than %d bytes", clip(w.Text), maxText)
	}
	i := marker(markers, punctuationMarker)
	if i >= 0 {
		markers = slices.Delete(markers, i, i+1)
	}
	whole := w.Text == masked && end > start && i < 0
	if k := marker(markers, redactedMarker); k >= 0 && i < 0 {
		w.Kind, markers, whole = transcript.Redacted, slices.Delete(markers, k, k+1), true
	}
	if len(markers) > 0 {
		w.Markers = markers
	}
	if i >= 0 && !mark.Says(w.Text) {
		d.marked(w, given)
		return nil
	}
	w.Voice = voice(e)
	if whole {
		return d.add(w, given)
	}
	return d.separate(w, w.Text, given)
}

// marked adds an entry marked as punctuation. VoiceBase gives it the duration of the following pause; its start is
// used.
func (d *draft) marked(w transcript.Word, given bool) {
	w.Kind, w.Confidence, w.End = transcript.Punctuation, 0, w.Start
	if !given {
		w.Start = -1
		if n := len(d.words); n > 0 {
			w.Start = max(d.words[n-1].Start, d.words[n-1].End, -1)
		}
		w.End = w.Start
	}
	d.follow(w)
}

// voice returns the voice features of an entry as sent; nil if it has none. Package pipeline enforces their range.
func voice(e entry) *transcript.Voice {
	if !e.V.given && len(e.Frq) == 0 {
		return nil
	}
	v := &transcript.Voice{Volume: e.V.value}
	for _, f := range e.Frq {
		v.Peaks = append(v.Peaks, transcript.Peak{Frequency: f.F.value, Energy: f.E.value})
	}
	return v
}
