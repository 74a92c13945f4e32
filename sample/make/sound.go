package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"time"

	"parley/internal/host/sandbox"
)

// handed is the path of the file that a program inherits, in addition to its standard input and output.
const handed = "/dev/fd/3"

// speak returns the speech of a flite voice at 16 kHz, without the silence around it.
func speak(ctx context.Context, voice, text string) ([]int16, error) {
	wav, err := nameless()
	if err != nil {
		return nil, err
	}
	defer wav.Close()
	if _, err := command(ctx, nil, wav, "flite", "-voice", voice, "-t", text, "-o", handed); err != nil {
		return nil, err
	}
	raw, err := command(ctx, nil, wav, "ffmpeg", "-nostdin", "-v", "error", "-i", handed, "-ar", fmt.Sprint(rate),
		"-ac", "1", "-f", "s16le", "pipe:1")
	if err != nil {
		return nil, err
	}
	samples := make([]int16, len(raw)/2)
	for i := range samples {
		samples[i] = int16(binary.LittleEndian.Uint16(raw[2*i:]))
	}
	return trim(samples), nil
}

// trim removes samples quieter than about -44 dB of full scale at both ends.
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

// mix adds speech to a channel at a sample offset; a channel that is too short grows.
func mix(channel, speech []int16, start int) []int16 {
	if missing := start + len(speech) - len(channel); missing > 0 {
		channel = append(channel, make([]int16, missing)...)
	}
	copy(channel[start:], speech)
	return channel
}

// addNoise adds the noise of a quiet line, about -87 dB of full scale, from a fixed seed: recordings have no digital
// silence.
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
	flac, err := nameless()
	if err != nil {
		return err
	}
	defer flac.Close()
	if _, err := command(ctx, &raw, flac, "ffmpeg", "-v", "error", "-y", "-f", "s16le", "-ar", fmt.Sprint(rate), "-ac",
		fmt.Sprint(len(channels)), "-i", "-",
		"-fflags", "+bitexact", "-flags", "+bitexact", "-map_metadata", "-1", "-compression_level", "12", "-f", "flac",
		handed); err != nil {
		return err
	}
	if _, err := flac.Seek(0, io.SeekStart); err != nil {
		return err
	}
	body, err := io.ReadAll(flac)
	if err != nil {
		return err
	}
	return os.WriteFile(path, body, 0o644)
}

// nameless creates a file without a name, which only processes that inherit it can open, even under another user.
func nameless() (*os.File, error) {
	f, err := os.CreateTemp("", "parley-sample-")
	if err != nil {
		return nil, err
	}
	if err := errors.Join(os.Remove(f.Name()), f.Chmod(0o666)); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// command runs a program that inherits a file, and returns its output, or its error output if it fails.
func command(ctx context.Context, stdin *bytes.Buffer, file *os.File, name string, args ...string) ([]byte, error) {
	cmd := sandbox.Command(ctx, name, args...)
	if stdin != nil {
		cmd.Stdin = stdin
	}
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = &out, &said, []*os.File{file}
	if err := sandbox.Run(cmd, sandbox.Limits{CPU: time.Minute}); err != nil {
		return nil, fmt.Errorf("%s (Debian's package %s): %w: %s", name, name, err, bytes.TrimSpace(said.Bytes()))
	}
	return out.Bytes(), nil
}
