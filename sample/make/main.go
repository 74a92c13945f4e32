// Command make synthesises the sample call. It reads call.txt, synthesises each turn with flite, places the turns on
// one channel per speaker, and writes call.flac and call.json (who says what, and when).
//
//	go run ./sample/make
//
// The same call.txt gives the same samples and the same times. It needs Debian's packages flite and ffmpeg.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"parley/internal/host/sandbox"
)

const rate = 16000 // samples per second of flite's voices

// voices names each speaker's voice, in the order of the channels. PocketSphinx recognises rms best among flite's
// voices, so it is the voice of the caller, who says the numbers.
var voices = []struct{ speaker, voice string }{{"Agent", "slt"}, {"Caller", "rms"}}

func main() {
	sandbox.Main()
	log.SetFlags(0)
	if err := run(context.Background(), "sample"); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, folder string) error {
	text, err := os.ReadFile(filepath.Join(folder, "call.txt"))
	if err != nil {
		return err
	}
	turns, err := parse(string(text))
	if err != nil {
		return err
	}
	channels, err := place(ctx, turns)
	if err != nil {
		return err
	}
	if err := writeReference(filepath.Join(folder, "call.json"), turns); err != nil {
		return err
	}
	if err := writeFLAC(ctx, filepath.Join(folder, "call.flac"), channels); err != nil {
		return err
	}
	fmt.Printf("%d turns, %.1f s\n", len(turns), float64(len(channels[0]))/rate)
	return nil
}

// place synthesises each turn and mixes it into its speaker's channel; it sets the turns' times.
func place(ctx context.Context, turns []turn) ([][]int16, error) {
	const lead, tail = rate / 2, rate // silence at the beginning and the end
	channels := make([][]int16, len(voices))
	end := lead
	for i := range turns {
		t := &turns[i]
		speech, err := speak(ctx, voices[t.channel].voice, t.Text)
		if err != nil {
			return nil, err
		}
		start := max(end, lead)
		if i > 0 {
			start = end + int(t.offset.Seconds()*rate)
		}
		t.StartMs, t.EndMs = toMs(start), toMs(start+len(speech))
		channels[t.channel] = mix(channels[t.channel], speech, start)
		end = max(end, start+len(speech))
	}
	for c := range channels {
		channels[c] = addNoise(mix(channels[c], nil, end+tail), uint64(c))
	}
	return channels, nil
}

func toMs(sample int) int64 {
	return (time.Duration(sample) * time.Second / rate).Milliseconds()
}
