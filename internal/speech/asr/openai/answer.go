package openai

import (
	"encoding/json"
	"errors"
	"math"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/speech/asr/remote"
)

// answer is a transcription in any dialect. Fields that the service omits or does not know are nil.
type answer struct {
	Text     *string         `json:"text"`
	Words    []word          `json:"words"`
	Segments []segment       `json:"segments"`
	Error    json.RawMessage `json:"error"` // whisper.cpp's server reports errors here with status 200
}

// segment is a stretch of the audio; times are in seconds.
type segment struct {
	Text    string   `json:"text"`
	Start   *float64 `json:"start"`
	End     *float64 `json:"end"`
	LogProb *float64 `json:"avg_logprob"`
	Words   []word   `json:"words"`
}

// word is a word or, from whisper.cpp, a piece of one; the first piece of a word starts with a space.
type word struct {
	Word        string   `json:"word"`
	Start       *float64 `json:"start"`
	End         *float64 `json:"end"`
	Probability *float64 `json:"probability"`
}

// read parses the answer for audio of the given length.
func (r *Recognizer) read(body []byte, length time.Duration) ([]asr.Word, error) {
	var a answer
	if err := json.Unmarshal(body, &a); err != nil {
		return nil, err
	}
	if why := remote.Explain(a.Error); why != "" {
		return nil, remote.Rejected(r.endpoint.Name, why)
	}
	if a.Text == nil && a.Words == nil && a.Segments == nil {
		return nil, errors.New("text, words and segments are missing")
	}
	var words []asr.Word
	for _, s := range a.stretches(length) {
		words = append(words, s.heard()...)
	}
	return remote.Settle(unpunctuated(words), length), nil
}

// stretches splits an answer into stretches of text, with timed words if the service returned them.
func (a *answer) stretches(length time.Duration) []stretch {
	text := ""
	if a.Text != nil {
		text = *a.Text
	}
	if len(a.Words) > 0 || len(a.Segments) == 0 {
		return []stretch{{text: text, words: a.Words, to: length, confident: a.confidence}}
	}
	var all []stretch
	var from time.Duration
	for _, s := range a.Segments {
		one := stretch{text: s.Text, words: s.Words, from: from, to: length, confident: func(time.Duration) float64 {
			return s.confidence()
		}}
		if s.Start != nil && s.End != nil && *s.End > *s.Start {
			one.from, one.to = remote.Seconds(*s.Start), min(remote.Seconds(*s.End), length)
		}
		all, from = append(all, one), one.to
	}
	return all
}

// confidence returns the confidence of the segment at a time.
func (a *answer) confidence(at time.Duration) float64 {
	for _, s := range a.Segments {
		if s.End != nil && at <= remote.Seconds(*s.End) {
			return s.confidence()
		}
	}
	return remote.Unknown
}

// confidence is the geometric mean of the token probabilities of the segment.
func (s *segment) confidence() float64 {
	if s.LogProb == nil {
		return remote.Unknown
	}
	return min(math.Exp(*s.LogProb), 1)
}
