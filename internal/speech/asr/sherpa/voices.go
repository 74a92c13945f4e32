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

// SegmentationFamily is the family of models that hear where speakers change. What compares voices says in its file how
// it is run.
const SegmentationFamily = "pyannote"

// Told is what the program answers to "diarize": one line of JSON.
type Told struct {
	Turns []ToldTurn `json:"turns"`
	Error string     `json:"error,omitempty"` // instead of turns
}

// ToldTurn is a stretch of one speaker's speech, in seconds; turns of two speakers may overlap.
type ToldTurn struct {
	Speaker int     `json:"speaker"`
	Start   float64 `json:"start"`
	End     float64 `json:"end"`
}

// Turn is a stretch of one speaker's speech.
type Turn struct {
	Speaker int // a number
	sound.Segment
}

// Voices tells speakers apart with two installed models: one that hears where speakers change, and one that
// compares voices.
type Voices struct {
	Program                 string
	Segmentation, Embedding modelstore.Installed
	Threads                 int
	Nice                    int // added to the niceness
}

const (
	loadVoices = 2 * time.Minute // to load the models; besides, the length of the recording may be taken
	mostTold   = 64 << 20        // bytes of an answer
	// bytes that the process may use: the audio, and the distances of all stretches from each other
	voiceMemory = 3 << 30

	// LongestVoices is the longest recording whose stretches can be compared in that memory, which grows with the
	// square.
	LongestVoices = 2 * time.Hour
)

// Tell returns who speaks when in a recording of a length. audio writes its samples: one channel, 16 bits, little
// endian, 16 kHz. speakers is how many people speak, 0 if that is not known. Any error is of kind Unavailable, unless
// ctx ended.
func (v *Voices) Tell(
	ctx context.Context, audio func(io.Writer) error, length time.Duration, speakers int,
) ([]Turn, error) {
	if length > LongestVoices {
		return nil, unavailable("recordings of more than %v are too long for neural diarization", LongestVoices)
	}
	diarize := sandbox.Errand{
		Command: []string{v.Program, "diarize", "--segmentation", v.Segmentation.Dir, "--embedding", v.Embedding.Dir,
			"--speakers", strconv.Itoa(speakers), "--threads", strconv.Itoa(max(v.Threads, 1))},
		Limits: sandbox.Limits{Memory: voiceMemory, Nice: v.Nice, Access: Access(v.Segmentation, v.Embedding)},
		Time:   loadVoices + length, Most: mostTold,
	}
	var turns []Turn
	err := diarize.Run(ctx, audio, func(answer []byte) (err error) {
		turns, err = parseTold(answer, length)
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

// parseTold reads the last line of an answer: the library may have written before.
func parseTold(answer []byte, length time.Duration) ([]Turn, error) {
	lines := bytes.Split(bytes.TrimSpace(answer), []byte("\n"))
	var told Told
	if err := json.Unmarshal(lines[len(lines)-1], &told); err != nil {
		return nil, fmt.Errorf("unreadable answer: %w", err)
	}
	if told.Error != "" {
		return nil, fmt.Errorf("%s", told.Error)
	}
	turns := make([]Turn, 0, len(told.Turns))
	for i, t := range told.Turns {
		if !(t.Start >= 0 && t.End >= t.Start) || t.End > math.MaxInt32 || t.Speaker < 0 {
			return nil, fmt.Errorf("turn %d is impossible", i)
		}
		at := func(s float64) time.Duration { return min(time.Duration(s*float64(time.Second)), length) }
		turns = append(turns, Turn{Speaker: t.Speaker, Segment: sound.Segment{Start: at(t.Start), End: at(t.End)}})
	}
	return turns, nil
}
