package line

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/words/fault"
)

// unknown is the confidence of words for which the engine reports none.
const unknown = 0.5

// reply converts a recognition or an error into an answer.
func reply(id int64, r *asr.Recognition, err error) answer {
	if err != nil {
		return answer{ID: id, Error: failureOf(err)}
	}
	a := answer{ID: id, Words: make([]word, len(r.Words)), Warnings: r.Warnings, Voice: r.Voice}
	for i, w := range r.Words {
		a.Words[i] = word{w.Text, w.Start.Seconds(), w.End.Seconds(), &w.Confidence, w.Punctuated}
	}
	return a
}

func failureOf(err error) *failure {
	kind := failed
	switch fault.KindOf(err) {
	case fault.Unavailable:
		kind = unavailable
	case fault.Invalid, fault.Unsupported:
		kind = invalid
	}
	return &failure{kind, err.Error()}
}

// fault converts the failure into an error. Its kind determines whether the request may be retried.
func (f *failure) fault() error {
	kind := fault.Internal
	switch f.Kind {
	case unavailable:
		kind = fault.Unavailable
	case invalid:
		kind = fault.Invalid
	}
	return fault.New(kind, fault.CodeEngineFailed, "recogniser: %s", f.Message)
}

// parseHello parses the first line of an engine.
func parseHello(line []byte) (asr.Info, error) {
	var h hello
	if err := json.Unmarshal(line, &h); err != nil {
		return asr.Info{}, fmt.Errorf("the first line is not a greeting: %w", err)
	}
	if h.Error != nil {
		return asr.Info{}, h.Error.fault()
	}
	if h.Protocol != protocol || h.Engine == "" || len(h.Languages) == 0 || !(h.MaxChunk > 0 && h.MaxChunk <= 24*3600) {
		return asr.Info{}, fmt.Errorf(
			"the greeting needs protocol %d, engine, languages, and a maxChunk of up to 86400 seconds", protocol)
	}
	return asr.Info{
		Engine: h.Engine, Model: h.Model, Version: h.Version, Languages: h.Languages,
		MaxChunk: seconds(h.MaxChunk), Parallel: 1, Aligns: h.Aligns, Adapts: h.Adapts,
	}, nil
}

// parseAnswer parses the answer to question id about audio of the given length. It rejects answers whose words are
// out of order or have invalid times. Words that extend beyond the audio are clamped to it.
func parseAnswer(line []byte, id int64, length time.Duration) (*asr.Recognition, error) {
	var a answer
	if err := json.Unmarshal(line, &a); err != nil {
		return nil, garbage("%w", err)
	}
	if a.ID != id {
		return nil, garbage("its id is %d, not %d", a.ID, id)
	}
	if a.Error != nil {
		return nil, a.Error.fault()
	}
	r := &asr.Recognition{Warnings: a.Warnings, Voice: a.Voice}
	from := 0.0
	for i, w := range a.Words {
		if !(w.Start >= from && w.End >= w.Start) || w.End > math.MaxInt32 {
			return nil,
				garbage("words[%d]: invalid times: start and end must not be negative or precede the previous start", i)
		}
		from = w.Start
		if text := strings.TrimSpace(w.Text); text != "" {
			r.Words = append(r.Words, asr.Word{
				Text: text, Start: min(seconds(w.Start), length), End: min(seconds(w.End), length),
				Confidence: confidence(w.Confidence), Punctuated: strings.TrimSpace(w.Punctuated),
			})
		}
	}
	return r, nil
}

func garbage(format string, args ...any) error {
	return fmt.Errorf("invalid answer of the recogniser: "+format, args...)
}

func confidence(c *float64) float64 {
	if c == nil {
		return unknown
	}
	return min(max(*c, 0), 1)
}

// seconds rounds to microseconds, so that times survive conversion to decimal numbers and back.
func seconds(s float64) time.Duration {
	return time.Duration(math.Round(s*1e6)) * time.Microsecond
}
