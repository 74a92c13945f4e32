package eval

import (
	"context"
	"fmt"
	"slices"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/speech/audio"
	"parley/internal/words/sound"
)

// Row is the result for one set of recordings.
type Row struct {
	Set      string
	Halves   [2]Score        // of the first and second half of each recording's words
	Starts   []time.Duration // errors of word starts, if the reference has times
	Length   time.Duration   // total length of the audio of all channels
	Took     time.Duration   // recognition time, from the first chunk to the last
	Channels []Row           // of a call; each has only Set, Halves and Starts
}

// Score returns the word errors of both halves.
func (r *Row) Score() Score { return r.Halves[0].Plus(r.Halves[1]) }

// Request holds the parameters of WER.
type Request struct {
	Dir        string
	Decoder    *audio.Decoder
	Recognizer asr.Recognizer
	Longest    time.Duration // the engine's preferred chunk
	Telephone  bool          // simulate a telephone line
}

// WER recognises every recording below the folder that has a reference, and compares. It processes recordings one after
// the other, with as many concurrent chunks as the machine has cores. Rows are sorted by the names of the sets. If the
// error is Failures or that of ctx, the table has the recordings that could be measured.
func WER(ctx context.Context, q *Request) (Table, error) {
	recordings, err := Find(q.Dir)
	if err != nil {
		return nil, err
	}
	if len(recordings) == 0 {
		return nil, fmt.Errorf("no recording with a reference in %s", q.Dir)
	}
	var table Table
	err = each(ctx, recordings, func(r Recording) error {
		row, err := q.measure(ctx, r)
		if err == nil {
			table = table.add(row)
		}
		return err
	})
	return table, err
}

func (q *Request) measure(ctx context.Context, r Recording) (Row, error) {
	media, err := load(ctx, r.Path, q.Decoder, r.Call)
	if err == nil && q.Telephone {
		media, err = media.telephone(ctx, q.Decoder)
	}
	if err != nil {
		return Row{}, err
	}
	row := Row{Set: r.Set}
	began := time.Now()
	heard, err := media.hear(ctx, q.Recognizer, q.Longest)
	if err != nil {
		return Row{}, err
	}
	row.Took = time.Since(began)
	timed := split(r.Timed, media.channels)
	for c, words := range heard {
		reference := r.Text
		if r.Call || reference == nil {
			reference = texts(timed[c])
		}
		channel := Row{Set: fmt.Sprintf("channel %d", c+1), Halves: CompareHalves(reference, texts(words)),
			Starts: StartErrors(timed[c], words)}
		row.Length += media.channels[c].Duration()
		row.join(&channel)
		if r.Call {
			row.Channels = append(row.Channels, channel)
		}
	}
	return row, nil
}

// join adds the errors of another row.
func (r *Row) join(o *Row) {
	r.Halves[0], r.Halves[1] = r.Halves[0].Plus(o.Halves[0]), r.Halves[1].Plus(o.Halves[1])
	r.Starts = append(r.Starts, o.Starts...)
	r.Length, r.Took = r.Length+o.Length, r.Took+o.Took
}

// split assigns each reference word to the channel that is loudest from its start until the start of the next word.
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

// add adds a row to the table, merging it with the row of the same set.
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
	t[i].join(&row)
	t[i].Channels = append(t[i].Channels, row.Channels...)
	return t
}
