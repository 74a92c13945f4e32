// Package sound defines audio in memory: PCM samples and stretches of time.
//
// It does not decode, resample or analyse; packages audio and vad do.
package sound

import "time"

// PCM is one channel of linear 16-bit audio. It must not be modified after creation.
type PCM struct {
	Rate    int     // samples per second
	Samples []int16 // one channel
}

// Duration returns the length of the audio.
func (p *PCM) Duration() time.Duration { return At(len(p.Samples), p.Rate) }

// Slice returns the samples of a segment, clamped to the audio; it shares memory with p.
func (p *PCM) Slice(s Segment) *PCM {
	from, to := p.index(s.Start), p.index(s.End)
	return &PCM{Rate: p.Rate, Samples: p.Samples[from:max(from, to)]}
}

func (p *PCM) index(t time.Duration) int {
	return min(max(int(int64(t)*int64(p.Rate)/int64(time.Second)), 0), len(p.Samples))
}

// At returns the time of a sample index at a rate.
func At(sample, rate int) time.Duration {
	if rate <= 0 {
		return 0
	}
	return time.Duration(int64(sample) * int64(time.Second) / int64(rate))
}

// Segment is a stretch of time, Start inclusive, End exclusive.
type Segment struct{ Start, End time.Duration }

// Duration returns End − Start.
func (s Segment) Duration() time.Duration { return s.End - s.Start }

// Beep is a stretch of time in which a sine replaces the audio.
type Beep struct {
	Segment
	Frequency float64 // Hz
	Gain      float64 // 0..1 of full scale
}
