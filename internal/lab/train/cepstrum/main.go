// Command train computes the weights of package cepstrum's band extension from clean recordings.
//
// It is not part of the server. README.md in this folder describes the training data of the weights in the repository.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"parley/internal/speech/audio"
	"parley/internal/speech/cepstrum"
	"parley/internal/words/sound"
)

const piece = 8 * time.Second // of a recording, about the length of a recognised chunk

func main() {
	out := flag.String("out", "internal/speech/cepstrum/extension.bin", "file to write")
	dull := flag.Bool("dull", false, "for dull lines: dull.bin")
	penalty := flag.Float64("penalty", 30, "of large weights (ridge)")
	flag.Parse()
	if err := run(context.Background(), *out, *penalty, *dull, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out string, penalty float64, dull bool, files []string) error {
	l, err := newLesson(dull)
	if err != nil {
		return err
	}
	for _, file := range files {
		pcm, err := read(ctx, file)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		for at := time.Duration(0); at < pcm.Duration(); at += piece {
			l.add(pcm.Slice(sound.Segment{Start: at, End: at + piece}))
		}
	}
	e, err := l.learn(penalty)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := e.Write(&b); err != nil {
		return err
	}
	fmt.Printf("%d frames of %d recordings\n", l.frames, len(files))
	return os.WriteFile(out, b.Bytes(), 0o644)
}

func read(ctx context.Context, file string) (*sound.PCM, error) {
	decoded, err := (&audio.Decoder{}).Decode(ctx, file, "")
	if err != nil {
		return nil, err
	}
	defer decoded.Close()
	if decoded.SourceRate < cepstrum.Rate {
		return nil, fmt.Errorf("has %d samples a second, less than %d", decoded.SourceRate, cepstrum.Rate)
	}
	return decoded.Track().Read(sound.Segment{End: decoded.Length})
}
