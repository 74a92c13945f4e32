package importer

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/internal/transcript"
)

// entry is one element of words as this service and VoiceBase write it; times in milliseconds.
type entry struct {
	W   *string        `json:"w"`
	M   string         `json:"m"`
	S   number         `json:"s"`
	E   number         `json:"e"`
	C   number         `json:"c"`
	V   number         `json:"v"`
	Frq few[frequency] `json:"frq"`
}

type frequency struct {
	F number `json:"f"` // Hz
	E number `json:"e"`
}

// Markers of an entry that is no spoken word.
const (
	turnMarker        = "turn"
	punctuationMarker = "punc"
	redactedMarker    = "redacted"
)

// readWords reads {"words":[…]} with entries of words, punctuation and turns. The speakers stand in
// voiceActivity in their order; turns beside the words mean that each has a channel.
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
			return errors.New("it has no w, the word")
		}
		markers := strings.FieldsFunc(e.M, func(r rune) bool { return r == '|' })
		if slices.Contains(markers, turnMarker) {
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

// party returns a speaker, who has the next channel if the speakers have channels.
func (d *draft) party(name string, stereo bool) (int, error) {
	channel := transcript.NoChannel
	if stereo {
		channel = len(d.speakers)
	}
	return d.speaker(name, channel)
}

// entry adds a word or a mark exactly as it is written.
func (d *draft) entry(speaker int, e entry, markers []string) error {
	start, end, given, err := span{e.S, e.E, time.Millisecond}.times()
	if err != nil {
		return err
	}
	w := transcript.Word{Text: clean(*e.W), Start: start, End: end, Confidence: confidence(e.C), Speaker: speaker}
	if w.Text == "" {
		return nil
	}
	if len(w.Text) > maxText || len(e.M) > maxText {
		return fmt.Errorf("the word %q or its markers are too long", clip(w.Text))
	}
	if i := slices.Index(markers, punctuationMarker); i >= 0 {
		return d.punctuation(w, slices.Delete(markers, i, i+1), given)
	}
	if i := slices.Index(markers, redactedMarker); i >= 0 {
		w.Kind, markers = transcript.Redacted, slices.Delete(markers, i, i+1)
	}
	if len(markers) > 0 {
		w.Markers = markers
	}
	w.Voice = voice(e)
	return d.add(w, given)
}

// punctuation adds a mark. Where it lasts for the pause behind its word, as VoiceBase has it, it is put to its
// beginning.
func (d *draft) punctuation(w transcript.Word, markers []string, given bool) error {
	w.Kind, w.Confidence, w.End = transcript.Punctuation, 0, w.Start
	if len(markers) > 0 {
		w.Markers = markers
	}
	if len(d.words) == 0 {
		return nil
	}
	if !given {
		w.Start = max(d.words[len(d.words)-1].End, -1)
		w.End = w.Start
	}
	d.words = append(d.words, w)
	return nil
}

func voice(e entry) *transcript.Voice {
	if !e.V.given && len(e.Frq) == 0 {
		return nil
	}
	v := &transcript.Voice{Volume: max(e.V.value, 0)}
	for _, f := range e.Frq {
		v.Peaks = append(v.Peaks, transcript.Peak{Frequency: max(f.F.value, 0), Energy: max(f.E.value, 0)})
	}
	return v
}
