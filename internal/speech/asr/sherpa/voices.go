package sherpa

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"parley/internal/host/sandbox"
	"parley/internal/speech/modelstore"
	"parley/internal/words/sound"
)

// SegmentationFamily is the family of models that detect speaker changes. Models that compare voices name their own
// family in their file.
const SegmentationFamily = "pyannote"

// Answer is the program's answer to "diarize": one line of JSON.
type Answer struct {
	Turns []AnswerTurn `json:"turns"`
	Error string       `json:"error,omitempty"` // instead of turns
}

// AnswerTurn is a stretch of one speaker's speech, in seconds. Turns of different speakers may overlap.
type AnswerTurn struct {
	Speaker int     `json:"speaker"`
	Start   float64 `json:"start"`
	End     float64 `json:"end"`
}

// Turn is a stretch of one speaker's speech.
type Turn struct {
	Speaker int // a number
	sound.Segment
}

// Voices distinguishes speakers with two installed models: one that detects speaker changes, and one that compares
// voices.
type Voices struct {
	Program                 string
	Segmentation, Embedding modelstore.Installed
	Threads                 int
	Nice                    int // added to the niceness of the process
}

const (
	loadVoices = 2 * time.Minute // to load the models; the processing itself may take the length of the recording
	mostAnswer = 64 << 20        // maximum size of an answer in bytes
	// memory limit of the process in bytes: the audio, and the distances between all stretches
	voiceMemory = 3 << 30

	// LongestVoices is the longest recording that fits in that memory, which grows with the square of the length.
	LongestVoices = 2 * time.Hour
)

// Tell returns the turns of all speakers in a recording of the given length. audio writes the samples: one channel,
// 16 bits, little endian, 16 kHz. speakers is the number of speakers, or 0 if unknown. Errors are of kind
// Unavailable, unless ctx was cancelled.
func (v *Voices) Tell(
	ctx context.Context, audio func(io.Writer) error, length time.Duration, speakers int,
) ([]Turn, error) {
	if length > LongestVoices {
		return nil, unavailable("the recording is %v long; neural diarization supports up to %v", length, LongestVoices)
	}
	diarize := sandbox.Errand{
		Command: []string{v.Program, "diarize", "--segmentation", v.Segmentation.Dir, "--embedding", v.Embedding.Dir,
			"--speakers", strconv.Itoa(speakers), "--threads", strconv.Itoa(max(v.Threads, 1))},
		Limits: sandbox.Limits{Memory: voiceMemory, Nice: v.Nice, Access: Access(v.Segmentation, v.Embedding)},
		Time:   loadVoices + length, Most: mostAnswer,
	}
	var turns []Turn
	err := diarize.Run(ctx, audio, func(answer []byte) (err error) {
		turns, err = parseAnswer(answer, length)
		return err
	})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, unavailable("diarization: %w", err)
	}
	return turns, nil
}

// parseAnswer parses the last line of an answer; the library may have printed other lines before it.
func parseAnswer(answer []byte, length time.Duration) ([]Turn, error) {
	lines := bytes.Split(bytes.TrimSpace(answer), []byte("\n"))
	var a Answer
	if err := json.Unmarshal(lines[len(lines)-1], &a); err != nil {
		return nil, fmt.Errorf("invalid answer: %w", err)
	}
	if a.Error != "" {
		return nil, fmt.Errorf("%s", a.Error)
	}
	turns := make([]Turn, 0, len(a.Turns))
	for i, t := range a.Turns {
		if !(t.Start >= 0 && t.End >= t.Start) || t.End > math.MaxInt32 || t.Speaker < 0 {
			return nil, fmt.Errorf("turns[%d]: invalid speaker or times", i)
		}
		at := func(s float64) time.Duration { return min(time.Duration(s*float64(time.Second)), length) }
		turns = append(turns, Turn{Speaker: t.Speaker, Segment: sound.Segment{Start: at(t.Start), End: at(t.End)}})
	}
	return turns, nil
}
