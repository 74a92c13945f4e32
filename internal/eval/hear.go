package eval

import (
	"context"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"parley/internal/asr"
	"parley/internal/audio"
	"parley/internal/sound"
	"parley/internal/vad"
)

// media is a decoded recording in memory.
type media struct {
	channels []*sound.PCM // those that are listened to one by one
	rate     int          // of the source
}

// load decodes a recording, to one channel unless it is a call.
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

// speech finds where people speak.
func (m *media) speech() *vad.Found {
	r := &vad.Request{Kind: vad.KindOf(m.rate, len(m.channels))}
	for _, pcm := range m.channels {
		r.Channels = append(r.Channels, vad.EnvelopeOf(pcm))
	}
	return vad.Find(r)
}

// hear finds speech, cuts it and recognises it: the words of each channel in order.
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

func (m *media) recognize(ctx context.Context, recognizer asr.Recognizer, chunks []asr.Chunk) ([]*asr.Recognition, error) {
	source := asr.Source{Rate: m.rate, Call: len(m.channels) > 1, Other: len(m.channels) - 1}
	heard := make([]*asr.Recognition, len(chunks))
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(runtime.NumCPU())
	for i, chunk := range chunks {
		work.Go(func() (err error) {
			pcm := m.channels[chunk.Channel].Slice(chunk.Segment)
			heard[i], err = recognizer.Recognize(ctx, asr.Request{PCM: pcm, Source: source, Language: "en-US"})
			return err
		})
	}
	return heard, work.Wait()
}
