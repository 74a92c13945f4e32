package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"parley/internal/child"
)

// speak returns what flite's voice says, 16 kHz, without the silence around it.
func speak(ctx context.Context, voice, text string) ([]int16, error) {
	folder, err := os.MkdirTemp("", "parley-sample-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "turn.raw")
	if err := command(ctx, nil, "flite", "-voice", voice, "-t", text, "-o", path+".wav"); err != nil {
		return nil, err
	}
	if err := command(ctx, nil, "ffmpeg", "-nostdin", "-v", "error", "-i", path+".wav", "-ar", fmt.Sprint(rate), "-ac", "1", "-f", "s16le", path); err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	samples := make([]int16, len(raw)/2)
	for i := range samples {
		samples[i] = int16(binary.LittleEndian.Uint16(raw[2*i:]))
	}
	return trim(samples), nil
}

// trim cuts off what is quieter than about -44 dB of full scale at both ends.
func trim(samples []int16) []int16 {
	const quiet = 200
	from, to := 0, len(samples)
	for from < to && max(samples[from], -samples[from]) < quiet {
		from++
	}
	for to > from && max(samples[to-1], -samples[to-1]) < quiet {
		to--
	}
	return samples[from:to]
}

// mix puts speech into a channel from a sample on; a channel that is too short grows.
func mix(channel, speech []int16, start int) []int16 {
	if missing := start + len(speech) - len(channel); missing > 0 {
		channel = append(channel, make([]int16, missing)...)
	}
	copy(channel[start:], speech)
	return channel
}

// addNoise adds what a quiet line sounds like, about -87 dB of full scale, from a fixed seed: digital
// silence does not occur in recordings.
func addNoise(channel []int16, seed uint64) []int16 {
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range channel {
		channel[i] = max(min(channel[i], 32000), -32000) + int16(r.IntN(3)-r.IntN(3))
	}
	return channel
}

func writeFLAC(ctx context.Context, path string, channels [][]int16) error {
	var raw bytes.Buffer
	for i := range channels[0] {
		for _, c := range channels {
			if err := binary.Write(&raw, binary.LittleEndian, c[i]); err != nil {
				return err
			}
		}
	}
	return command(ctx, &raw, "ffmpeg", "-v", "error", "-y", "-f", "s16le", "-ar", fmt.Sprint(rate), "-ac", fmt.Sprint(len(channels)), "-i", "-",
		"-fflags", "+bitexact", "-flags", "+bitexact", "-map_metadata", "-1", "-compression_level", "12", path)
}

// command runs a program and reports what it says when it fails.
func command(ctx context.Context, stdin *bytes.Buffer, name string, args ...string) error {
	cmd := child.Command(ctx, name, args...)
	if stdin != nil {
		cmd.Stdin = stdin
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := child.Run(cmd, child.Limits{CPU: time.Minute}); err != nil {
		return fmt.Errorf("%s (Debian's package %s): %w: %s", name, name, err, bytes.TrimSpace(out.Bytes()))
	}
	return nil
}
