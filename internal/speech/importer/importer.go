// Package importer parses existing transcripts: this service's own JSON, results of AWS Transcribe, AWS Bedrock Data
// Automation, Deepgram, Whisper and VoiceBase, and plain text. It detects the format from the content, and separates
// punctuation from words: a spoken word never starts or ends with punctuation.
//
// Alignment of text with audio is in package align. The package does not use the recording.
package importer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"parley/internal/words/fault"
	"parley/internal/words/transcript"
)

// Result is an imported transcript.
type Result struct {
	// Transcript has the words in order; some may end before they start. Confidence is 1 if the format has none.
	// Language is empty, and Length is the end of the last word.
	Transcript *transcript.Transcript
	Timed      bool   // whether the words have times; otherwise all times are zero
	Format     string // display name of the format, such as "AWS Transcribe"
}

// Limits of imported transcripts.
const (
	maxWords    = 500_000 // and entries of one list; 8 h of fast speech have 100,000 words
	maxSpeakers = 64
	maxText     = 500 // bytes of a word or of a speaker's name
)

// Memory estimates the maximum memory of Parse for a text, from measurements: a cost per byte, since the text is
// copied, and a cost per word. It counts objects and space-separated stretches as words.
func Memory(raw []byte) int64 {
	const forByte, forWord = 4, 280
	marks := []string{"{"}
	if !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) && !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("[")) {
		marks = []string{" ", "\n", "\t", "\r"}
	}
	words := 1
	for _, mark := range marks {
		words += bytes.Count(raw, []byte(mark))
	}
	if len(raw) == 0 {
		return 0
	}
	return forByte*int64(len(raw)) + forWord*int64(min(words, maxWords))
}

// Parse parses a transcript in any supported format. The error is a fault of kind Invalid with code 95007 and
// describes the problem and its position.
func Parse(raw []byte) (*Result, error) {
	raw = bytes.TrimSpace(bytes.TrimPrefix(raw, []byte("\ufeff")))
	g, err := parse(raw)
	if err != nil {
		return nil, fault.New(fault.Invalid, fault.CodeTranscriptPart, "transcript: %w", err)
	}
	return g, nil
}

func parse(raw []byte) (*Result, error) {
	switch {
	case !utf8.Valid(raw):
		return nil, errors.New("the text is not UTF-8; convert it to UTF-8")
	case bytes.HasPrefix(raw, []byte("{")), bytes.HasPrefix(raw, []byte("[")) && json.Valid(raw):
		return document(raw)
	}
	return text(string(raw))
}

// format is a supported JSON format.
type format struct {
	name string
	read func(d *draft, raw []byte) error
}

// document parses JSON.
func document(raw []byte) (*Result, error) {
	if err := syntax(raw); err != nil {
		return nil, err
	}
	f, raw, err := recognise(raw)
	if err != nil {
		return nil, err
	}
	d := &draft{timed: true}
	if err := f.read(d, raw); err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, locate(err))
	}
	t, err := d.transcript()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	return &Result{Transcript: t, Timed: d.timed, Format: f.name}, nil
}

// recognise detects the format by keys that are unique to it, and returns the part that contains the words.
func recognise(raw []byte) (format, []byte, error) {
	voiceBase, whisper := format{"VoiceBase", readWords}, format{"Whisper", readWhisper}
	if raw[0] == '[' {
		return format{"words", readWords}, slices.Concat([]byte(`{"words":`), raw, []byte("}")), nil
	}
	top := keys(raw)
	switch {
	case has(top["transcript"], "words"): // words at the root as well are the same, without the turns
		return voiceBase, top["transcript"], nil
	case top["words"] != nil && (has(first(top["words"]), "word") || top["segments"] != nil):
		return whisper, raw, nil
	case top["words"] != nil:
		return format{"words", readWords}, raw, nil
	case has(top["transcripts"], "latest"):
		return voiceBase, keys(top["transcripts"])["latest"], nil
	case has(top["media"], "transcripts"), has(top["media"], "transcript"):
		return recognise(top["media"])
	case top["audio_segments"] != nil:
		return format{"AWS Bedrock Data Automation", readBedrock}, raw, nil
	case top["SpeechSegments"] != nil:
		return format{"AWS post-call analytics", readPostCall}, raw, nil
	case has(first(top["Transcript"]), "Items"), top["Transcript"] != nil && top["Participants"] != nil:
		return format{"AWS Call Analytics", readCallAnalytics}, raw, nil
	case has(top["results"], "items"), has(top["results"], "channel_labels"):
		return format{"AWS Transcribe", readTranscribe}, raw, nil
	case has(top["results"], "channels"):
		return format{"Deepgram", readDeepgram}, raw, nil
	case top["transcription"] != nil:
		return format{"whisper.cpp", readWhisperCPP}, raw, nil
	case top["segments"] != nil:
		return whisper, raw, nil
	}
	return format{}, nil, unknown(top)
}

func unknown(top map[string]json.RawMessage) error {
	names := slices.Sorted(maps.Keys(top))
	for i, n := range names {
		names[i] = fmt.Sprintf("%q", clip(n))
	}
	if len(names) > 8 {
		names = append(names[:8], "…")
	}
	return fmt.Errorf("unknown format of JSON with the keys %s; send {\"words\":[…]}, "+
		"a result of AWS Transcribe or Bedrock Data Automation, Deepgram, Whisper (verbose_json) or VoiceBase, "+
		"or plain text", strings.Join(names, ", "))
}

// mostKeys is the maximum number of an object's keys that format detection examines.
const mostKeys = 1000

// keys returns the members of an object as slices of the text, without copying; none if raw is not an object.
func keys(raw json.RawMessage) map[string]json.RawMessage {
	m := map[string]json.RawMessage{}
	for name, value := range members(raw) {
		if string(value) == "null" {
			delete(m, name)
		} else if len(m) < mostKeys {
			m[name] = value
		}
	}
	return m
}

func has(raw json.RawMessage, key string) bool { return keys(raw)[key] != nil }

// first returns the first element of a list; nil if raw is not a list.
func first(raw json.RawMessage) json.RawMessage {
	for e := range elements(raw) {
		return e
	}
	return nil
}

func clip(s string) string { return fault.Clip(s, 40) }
