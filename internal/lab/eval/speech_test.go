package eval_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"parley/internal/lab/eval"
	"parley/internal/speech/asr"
	"parley/internal/speech/audio"
	"parley/internal/speech/vad"
	"parley/internal/words/sound"
)

// channels decodes a recording of the data folder, to its channels or mixed to one.
func channels(t *testing.T, name string, mixed bool) (pcm []*sound.PCM, rate int) {
	t.Helper()
	decoded, err := (&audio.Decoder{}).Decode(context.Background(), filepath.Join(recordings(t), name), "")
	if err != nil {
		t.Fatal(err)
	}
	defer decoded.Close()
	tracks := []*audio.Track{decoded.Track()}
	if !mixed {
		tracks = nil
		for c := range decoded.Channels {
			tracks = append(tracks, decoded.Track(c))
		}
	}
	for _, track := range tracks {
		p, err := track.Read(sound.Segment{End: decoded.Length})
		if err != nil {
			t.Fatal(err)
		}
		pcm = append(pcm, p)
	}
	return pcm, decoded.SourceRate
}

func find(pcm []*sound.PCM, rate int) *vad.Result {
	r := &vad.Request{Kind: vad.KindOf(rate, len(pcm))}
	for _, p := range pcm {
		r.Channels = append(r.Channels, vad.EnvelopeOf(p))
	}
	return vad.Find(r)
}

func TestSpeechIsFoundWherePeopleHeardIt(t *testing.T) {
	for name, most := range map[string]struct{ missed, falseAlarm float64 }{
		"two_speaker_sample": {0.01, 0.07},
		"ami_tst00":          {0.17, 0.01}, // far microphones, speech without breaks
	} {
		pcm, rate := channels(t, map[string]string{"two_speaker_sample": "two_speaker_sample.wav",
			"ami_tst00": "ami_tst00.flac"}[name], true)
		file, err := os.Open(filepath.Join(recordings(t), name+".rttm"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		turns, err := eval.ReadRTTM(file)
		if err != nil {
			t.Fatal(err)
		}
		d := eval.Detect(turns, find(pcm, rate).Speech[0], pcm[0].Duration())
		t.Logf("%s: %.1f %% of %v speech missed, %.1f %% of %v silence taken for speech", name, 100*d.MissRate(),
			d.Speech, 100*d.FalseAlarmRate(), d.Silence)
		if d.MissRate() > most.missed || d.FalseAlarmRate() > most.falseAlarm {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

func TestNoiseIsNoSpeech(t *testing.T) {
	pcm, rate := channels(t, "empty_speech_leopard.wav", true)
	if got := find(pcm, rate).Speech[0]; len(got) > 0 {
		t.Errorf("speech %v in noise", got)
	}
}

func TestWordsOfACallAreInOrderAndInsideTheMedia(t *testing.T) {
	pcm, rate := channels(t, "support_stereo_10s.wav", false)
	found, engine := find(pcm, rate), pool(t)
	words := 0
	for c := range pcm {
		var last time.Duration
		for _, s := range found.Chunks(c, 15*time.Second) {
			heard, err := engine.Recognize(context.Background(), asr.Request{PCM: pcm[c].Slice(s), Language: "en-US"})
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range (asr.Chunk{Channel: c, Segment: s}).Place(heard) {
				if words++; w.Start < last || w.End < w.Start || w.End > pcm[c].Duration() {
					t.Errorf("channel %d: word %+v after %v of %v", c, w, last, pcm[c].Duration())
				}
				last = w.Start
			}
		}
	}
	if words < 10 {
		t.Errorf("%d words heard", words)
	}
}
