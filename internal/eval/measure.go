package eval

import (
	"context"
	"fmt"
	"slices"
	"time"

	"parley/internal/asr"
	"parley/internal/audio"
	"parley/internal/sound"
)

// Row is the measure of one set of recordings.
type Row struct {
	Set    string
	Score  Score
	Starts []time.Duration // distance of word starts, where the reference has times
	Length time.Duration   // of the audio, all channels together
	Took   time.Duration   // for recognition, from the first chunk to the last
}

// WER recognises every recording below dir that has a reference and compares. Recordings are taken one
// after the other, their chunks as many at a time as the machine has cores. longest is the engine's
// preferred chunk. Rows come in the order of the sets' names.
func WER(ctx context.Context, dir string, decoder *audio.Decoder, recognizer asr.Recognizer, longest time.Duration) (Table, error) {
	recordings, err := Find(dir)
	if err != nil {
		return nil, err
	}
	if len(recordings) == 0 {
		return nil, fmt.Errorf("no recording with a reference in %s", dir)
	}
	var table Table
	for _, r := range recordings {
		row, err := measure(ctx, r, decoder, recognizer, longest)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.Path, err)
		}
		table = table.add(row)
	}
	return table, nil
}

func measure(ctx context.Context, r Recording, decoder *audio.Decoder, recognizer asr.Recognizer, longest time.Duration) (Row, error) {
	media, err := load(ctx, r.Path, decoder, r.Call)
	if err != nil {
		return Row{}, err
	}
	row := Row{Set: r.Set}
	began := time.Now()
	heard, err := media.hear(ctx, recognizer, longest)
	if err != nil {
		return Row{}, err
	}
	row.Took = time.Since(began)
	timed := split(r.Timed, media.channels)
	for c, words := range heard {
		row.Length += media.channels[c].Duration()
		row.Starts = append(row.Starts, StartErrors(timed[c], words)...)
		reference := r.Text
		if r.Call || reference == nil {
			reference = texts(timed[c])
		}
		row.Score = row.Score.Plus(Compare(reference, texts(words)))
	}
	return row, nil
}

// split gives each reference word to the channel that is loudest from its start until the next word's.
func split(words []TimedWord, channels []*sound.PCM) [][]TimedWord {
	out := make([][]TimedWord, len(channels))
	for i, w := range words {
		s := sound.Segment{Start: w.Start, End: w.Start + 300*time.Millisecond}
		if i+1 < len(words) {
			s.End = min(s.End, max(words[i+1].Start, s.Start))
		}
		loudest, most := 0, -1.0
		for c, pcm := range channels {
			if e := energy(pcm.Slice(s).Samples); e > most {
				loudest, most = c, e
			}
		}
		out[loudest] = append(out[loudest], w)
	}
	return out
}

func energy(samples []int16) float64 {
	sum := 0.0
	for _, s := range samples {
		sum += float64(s) * float64(s)
	}
	return sum
}

// add puts a row into the table, joined with the row of the same set.
func (t Table) add(row Row) Table {
	i, found := slices.BinarySearchFunc(t, row.Set, func(r Row, set string) int {
		switch {
		case r.Set < set:
			return -1
		case r.Set > set:
			return 1
		}
		return 0
	})
	if !found {
		return slices.Insert(t, i, row)
	}
	r := &t[i]
	r.Score, r.Starts = r.Score.Plus(row.Score), append(r.Starts, row.Starts...)
	r.Length, r.Took = r.Length+row.Length, r.Took+row.Took
	return t
}
