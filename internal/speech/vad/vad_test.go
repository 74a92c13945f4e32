package vad_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley/internal/speech/vad"
	"parley/internal/words/sound"
)

const rate = 2000 // low, so that minutes are quickly made

// mix generates audio of the given length: white noise, and tones in the given stretches; levels are in dB of full
// scale.
func mix(length time.Duration, noise, tone float64, stretches ...sound.Segment) *sound.PCM {
	random := rand.New(rand.NewPCG(1, 2))
	pcm := &sound.PCM{Rate: rate, Samples: make([]int16, int(length.Seconds()*rate))}
	for i := range pcm.Samples {
		x := random.NormFloat64() * amplitude(noise)
		for _, s := range stretches {
			if at := sound.At(i, rate); at >= s.Start && at < s.End {
				x += math.Sqrt2 * amplitude(tone) * math.Sin(2*math.Pi*440*float64(i)/rate)
			}
		}
		pcm.Samples[i] = int16(max(min(x, math.MaxInt16), math.MinInt16))
	}
	return pcm
}

func amplitude(dB float64) float64 { return 32768 * math.Pow(10, dB/20) }

func find(kind vad.Kind, channels ...*sound.PCM) *vad.Result {
	r := &vad.Request{Kind: kind}
	for _, pcm := range channels {
		r.Channels = append(r.Channels, vad.EnvelopeOf(pcm))
	}
	return vad.Find(r)
}

func seconds(from, to float64) sound.Segment {
	return sound.Segment{Start: time.Duration(from * float64(time.Second)),
		End: time.Duration(to * float64(time.Second))}
}

// near reports whether the segments match the wanted ones within a tenth of a second at each edge.
func near(got, want []sound.Segment) bool {
	if len(got) != len(want) {
		return false
	}
	for i := range got {
		if (got[i].Start-want[i].Start).Abs() > 100*time.Millisecond ||
			(got[i].End-want[i].End).Abs() > 100*time.Millisecond {
			return false
		}
	}
	return true
}

func TestSpeechIsFoundInQuietAndInNoise(t *testing.T) {
	want := []sound.Segment{seconds(1, 2.5), seconds(4, 7)}
	for _, kind := range []vad.Kind{vad.Wideband, vad.Telephone} {
		for _, noise := range []float64{-200, -70, -50, -32} {
			if got := find(kind, mix(10*time.Second, noise, -20, want...)).Speech[0]; !near(got, want) {
				t.Errorf("kind %d, noise %v dB: speech %v, want %v", kind, noise, got, want)
			}
		}
	}
}

func TestSteadySoundIsNoSpeech(t *testing.T) {
	for name, pcm := range map[string]*sound.PCM{
		"nothing":         {Rate: rate},
		"one sample":      {Rate: rate, Samples: []int16{32767}},
		"digital silence": mix(5*time.Second, -200, -200),
		"noise":           mix(20*time.Second, -25, -200),
		"a dial tone":     mix(20*time.Second, -60, -20, seconds(0, 20)),
	} {
		if got := find(vad.Wideband, pcm).Speech[0]; len(got) > 0 {
			t.Errorf("%s: speech %v", name, got)
		}
	}
}

func TestFloorFollowsTheRecording(t *testing.T) {
	speech := []sound.Segment{seconds(10, 18), seconds(40, 48), seconds(70, 78), seconds(100, 108)}
	quiet := mix(2*time.Minute, -65, -40, speech...)
	loud := mix(2*time.Minute, -50, -25, speech...)
	got := find(vad.Wideband, &sound.PCM{Rate: rate, Samples: append(quiet.Samples, loud.Samples...)}).Speech[0]
	for _, s := range speech {
		speech = append(speech, sound.Segment{Start: s.Start + 2*time.Minute, End: s.End + 2*time.Minute})
	}
	// The half minute after the change includes both noise floors and may detect the louder noise as speech.
	if !near(got[:4], speech[:4]) || !near(got[len(got)-3:], speech[5:]) {
		t.Errorf("speech %v, want %v", got, speech)
	}
}

func TestClicksAreDroppedAndShortPausesBridged(t *testing.T) {
	pcm := mix(10*time.Second, -60, -20, seconds(1, 1.03), seconds(4, 5), seconds(5.2, 6))
	if got, want := find(vad.Wideband, pcm).Speech[0], []sound.Segment{seconds(4, 6)}; !near(got, want) {
		t.Errorf("speech %v, want %v", got, want)
	}
}

func TestVoiceLeakedFromTheOtherChannelIsNoSpeech(t *testing.T) {
	agent := mix(20*time.Second, -65, -18, seconds(2, 6))
	leaked := mix(20*time.Second, -65, -35, seconds(2, 6)) // the agent's voice, attenuated
	caller := mix(20*time.Second, -65, -30, seconds(10, 14))
	for i := range leaked.Samples {
		leaked.Samples[i] += caller.Samples[i]
	}
	if alone := find(vad.Telephone, leaked).Speech[0]; len(alone) != 2 {
		t.Fatalf("the leaked voice alone is %v: nothing to gate", alone)
	}
	found := find(vad.Telephone, agent, leaked)
	if want := []sound.Segment{seconds(2, 6)}; !near(found.Speech[0], want) {
		t.Errorf("agent %v, want %v", found.Speech[0], want)
	}
	if want := []sound.Segment{seconds(10, 14)}; !near(found.Speech[1], want) {
		t.Errorf("caller %v, want %v", found.Speech[1], want)
	}
}

func TestOvertalkIsSpeechOnBothChannels(t *testing.T) {
	one := mix(10*time.Second, -65, -20, seconds(2, 6))
	other := mix(10*time.Second, -65, -23, seconds(4, 8))
	found := find(vad.Telephone, one, other)
	if !near(found.Speech[0], []sound.Segment{seconds(2, 6)}) ||
		!near(found.Speech[1], []sound.Segment{seconds(4, 8)}) {
		t.Errorf("speech %v", found.Speech)
	}
}

func TestAudioMayComeInPiecesOfAnySize(t *testing.T) {
	pcm := mix(5*time.Second, -60, -20, seconds(1, 2))
	rapid.Check(t, func(t *rapid.T) {
		e := vad.NewEnvelope(rate)
		for rest := pcm.Samples; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
			e.Add(rest[:n])
			rest = rest[n:]
		}
		got := vad.Find(&vad.Request{Channels: []*vad.Envelope{e}})
		if want := find(vad.Wideband, pcm); !reflect.DeepEqual(got, want) {
			t.Fatalf("speech %v, want %v", got.Speech, want.Speech)
		}
	})
}

func TestChunksCoverAllSpeechAndAreShort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		length := rapid.IntRange(0, 120).Draw(t, "seconds")
		var stretches []sound.Segment
		for at := 0.0; at < float64(length); {
			at += rapid.Float64Range(0, 4).Draw(t, "pause")
			speech := rapid.Float64Range(0.05, 25).Draw(t, "speech")
			stretches = append(stretches, seconds(at, at+speech))
			at += speech
		}
		longest := time.Duration(rapid.IntRange(0, 30).Draw(t, "longest")) * time.Second
		found := find(vad.Wideband, mix(time.Duration(length)*time.Second, -60, -20, stretches...))
		chunks := found.Chunks(0, longest)
		var last, covered, speech time.Duration
		for _, c := range chunks {
			if c.Start < last || c.End <= c.Start || c.End > time.Duration(length)*time.Second ||
				c.Duration() > max(longest, 100*time.Millisecond) {
				t.Fatalf("chunk %v after %v of %d s, at most %v", c, last, length, longest)
			}
			last = c.End
			for _, s := range found.Speech[0] {
				covered += max(min(c.End, s.End)-max(c.Start, s.Start), 0)
			}
		}
		for _, s := range found.Speech[0] {
			speech += s.Duration()
		}
		if covered != speech {
			t.Fatalf("chunks cover %v of %v of speech", covered, speech)
		}
	})
}

func TestSpeechWithoutPauseIsCutWhereItIsQuietest(t *testing.T) {
	pcm := mix(20*time.Second, -60, -20, seconds(1, 8.9), seconds(9.05, 19))
	chunks := find(vad.Wideband, pcm).Chunks(0, 12*time.Second)
	if len(chunks) != 2 || chunks[0].End < 8900*time.Millisecond || chunks[0].End > 9050*time.Millisecond {
		t.Errorf("chunks %v, want a cut at 9 s", chunks)
	}
}

func TestKindOfCallsIsTelephone(t *testing.T) {
	for _, c := range []struct {
		rate, channels int
		want           vad.Kind
	}{{8000, 1, vad.Telephone}, {16000, 2, vad.Telephone}, {16000, 1, vad.Wideband}, {44100, 1, vad.Wideband}} {
		if got := vad.KindOf(c.rate, c.channels); got != c.want {
			t.Errorf("%d Hz, %d channels: %v, want %v", c.rate, c.channels, got, c.want)
		}
	}
}
