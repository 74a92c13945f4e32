package eval

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"parley/internal/speech/asr"
	"parley/internal/speech/audio"
	"parley/internal/speech/vad"
	"parley/internal/words/sound"
)

// media is a decoded recording in memory.
type media struct {
	channels []*sound.PCM // recognised separately
	rate     int          // of the source
}

// load decodes a recording; unless it is a call, it mixes it to one channel.
func load(ctx context.Context, path string, decoder *audio.Decoder, call bool) (*media, error) {
	decoded, err := decoder.Decode(ctx, path, "")
	if err != nil {
		return nil, err
	}
	defer decoded.Close()
	tracks := []*audio.Track{decoded.Track()}
	if call {
		tracks = nil
		for c := range decoded.Channels {
			tracks = append(tracks, decoded.Track(c))
		}
	}
	m := &media{rate: decoded.SourceRate}
	for _, t := range tracks {
		pcm, err := t.Read(sound.Segment{End: decoded.Length})
		if err != nil {
			return nil, err
		}
		m.channels = append(m.channels, pcm)
	}
	return m, nil
}

// speech detects the speech intervals.
func (m *media) speech() *vad.Result {
	r := &vad.Request{Kind: vad.KindOf(m.rate, len(m.channels))}
	for _, pcm := range m.channels {
		r.Channels = append(r.Channels, vad.EnvelopeOf(pcm))
	}
	return vad.Find(r)
}

// hear detects speech, splits it into chunks and recognises them. It returns the words of each channel in order.
func (m *media) hear(ctx context.Context, recognizer asr.Recognizer, longest time.Duration) ([][]TimedWord, error) {
	found := m.speech()
	segments := make([][]sound.Segment, len(m.channels))
	for c := range segments {
		segments[c] = found.Chunks(c, longest)
	}
	chunks := asr.Chunks(segments)
	heard, err := m.recognize(ctx, recognizer, chunks)
	if err != nil {
		return nil, err
	}
	words := make([][]TimedWord, len(m.channels))
	for i, chunk := range chunks {
		for _, w := range chunk.Place(heard[i]) {
			words[chunk.Channel] = append(words[chunk.Channel], TimedWord{w.Text, w.Start})
		}
	}
	return words, nil
}

// recognize recognises chunks. For calls, it repeats the chunks from which an adaptive engine learns the speakers'
// voices.
func (m *media) recognize(
	ctx context.Context, recognizer asr.Recognizer, chunks []asr.Chunk,
) ([]*asr.Recognition, error) {
	source := asr.Source{Rate: m.rate, Call: len(m.channels) > 1, Other: len(m.channels) - 1}
	heard := make([]*asr.Recognition, len(chunks))
	if source.Call {
		if err := m.take(ctx, recognizer, chunks, asr.Openings(chunks), asr.Request{Source: source, Learn: true}, nil,
			heard); err != nil {
			return nil, err
		}
	}
	voices := asr.Voices(chunks, heard)
	var rest []int
	for i, c := range chunks {
		if heard[i] == nil || voices[c.Channel] != nil {
			rest = append(rest, i)
		}
	}
	return heard, m.take(ctx, recognizer, chunks, rest, asr.Request{Source: source}, voices, heard)
}

// take recognises the chunks with the given indices, with the voices of their channels.
func (m *media) take(
	ctx context.Context, recognizer asr.Recognizer, chunks []asr.Chunk, numbers []int, q asr.Request,
	voices map[int][][]byte, heard []*asr.Recognition,
) error {
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(runtime.NumCPU())
	for _, i := range numbers {
		chunk := chunks[i]
		work.Go(func() (err error) {
			q := q
			q.PCM, q.Language, q.Voices = m.channels[chunk.Channel].Slice(chunk.Segment), "en-US", voices[chunk.Channel]
			if heard[i], err = recognizer.Recognize(ctx, q); err != nil {
				return fmt.Errorf("channel %d from %v: %w", chunk.Channel+1, chunk.Segment.Start.Round(time.Second/10),
					err)
			}
			return nil
		})
	}
	return work.Wait()
}
