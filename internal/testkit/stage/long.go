package stage

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"time"
)

// The long call.
const (
	longWords  = 30_000
	longLength = 3 * time.Hour
)

// long returns the words of a call of three hours: many conversations, one after the other.
func long() []said {
	var all []Line
	for n, words := 0, 0; words < longWords; n++ {
		for _, l := range NewTalk(50_000 + n).Lines {
			all = append(all, l)
			words += len(split(l.Text))
		}
	}
	entries, length := script(all, 9)
	entries = entries[:longWords]
	stretch := float64(longLength) / float64(length)
	for i := range entries {
		entries[i].S, entries[i].E = int64(float64(entries[i].S)*stretch), int64(float64(entries[i].E)*stretch)
	}
	return entries
}

// compressed returns a recording for words as an MP3 file of variable rate, in which seeking by bytes fails without its
// table. ffmpeg encodes it.
func compressed(ctx context.Context, words []said, length time.Duration) ([]byte, error) {
	encoder := exec.CommandContext(ctx, "ffmpeg", "-v", "error", "-f", "mulaw", "-ar", strconv.Itoa(rate), "-ac", "2",
		"-i", "pipe:0", "-c:a", "libmp3lame", "-q:a", "9", "-compression_level", "9", "-f", "mp3", "pipe:1")
	encoder.Stdin = bytes.NewReader(samples(words, length, 2))
	var said bytes.Buffer
	encoder.Stderr = &said
	recording, err := encoder.Output()
	if err != nil {
		return nil, fmt.Errorf("ffmpeg: %w: %s", err, said.String())
	}
	return recording, nil
}
