package doctor

import (
	"context"
	"os"
	"strings"
	"time"

	"parley/internal/host/sandbox"
	"parley/internal/speech/asr"
	"parley/internal/speech/audio"
	"parley/internal/words/sound"
	"parley/sample"
)

const installFFmpeg = "install ffmpeg, on Debian and Ubuntu with: apt-get install ffmpeg"

// FFmpeg checks that recordings can be decoded.
func FFmpeg(d *audio.Decoder) Check {
	return Check{"ffmpeg and ffprobe", func(ctx context.Context) Finding {
		h, err := d.Check(ctx)
		if err != nil {
			return fail(installFFmpeg, "%v", err)
		}
		if len(h.Missing) > 0 {
			return warn(h.Remedy, "version %s lacks: %s", h.Version, strings.Join(h.Missing, ", "))
		}
		return ok("version %s, with all decoders that calls need", h.Version)
	}}
}

// Confinement checks that decoders and engines can be confined; missing features come from sandbox.Supported().Gaps(),
// for example.
func Confinement(s sandbox.Support) Check {
	return Check{"confinement of programs", func(context.Context) Finding {
		const remedy = "run a kernel of version 5.13 or later with Landlock among the modules of lsm=, and in a " +
			"container the default seccomp profile, " +
			"and run the server as a user of its own, not as root; see docs/operations.md"
		if gaps := s.Gaps(); len(gaps) > 0 {
			return warn(remedy, "ffmpeg and engines, which read untrusted data, run without %s",
				strings.Join(gaps, "; "))
		}
		return ok("Landlock version %d and seccomp: ffmpeg and engines cannot reach the network, other programs or "+
			"other files", s.Landlock)
	}}
}

// Engine checks that a recogniser is installed; look is a function such as pocketsphinx.Check.
func Engine(look func() (asr.Info, error)) Check {
	return Check{"recogniser", func(context.Context) Finding {
		info, err := look()
		if err != nil {
			return fail("on Debian and Ubuntu: apt-get install libpocketsphinx3 pocketsphinx-en-us", "%v", err)
		}
		return ok("%s, model %s (%s)", info.Engine, info.Model, strings.Join(info.Languages, ", "))
	}}
}

// Length of the part of the sample call that the trial recognises, and the minimum number of its words that must be
// recognised.
const (
	heard           = 12 * time.Second
	leastUnderstood = 5
)

// Recognises checks that a recogniser really recognises the first words of the sample call.
func Recognises(r asr.Recognizer, d *audio.Decoder) Check {
	return Check{"recognition", func(ctx context.Context) Finding {
		const remedy = "fix ffmpeg and the recogniser first; if both are fine, reinstall libpocketsphinx3 and " +
			"pocketsphinx-en-us"
		pcm, err := opening(ctx, d)
		if err != nil {
			return fail(remedy, "the sample call cannot be decoded: %v", err)
		}
		began := time.Now()
		found, err := r.Recognize(ctx,
			asr.Request{PCM: pcm, Source: asr.Source{Rate: audio.Rate, Call: true, Other: 1}, Language: "en-US"})
		if err != nil {
			return fail(remedy, "the engine does not answer: %v", err)
		}
		took := time.Since(began)
		n, err := countUnderstood(found)
		if err != nil {
			return fail(remedy, "%v", err)
		}
		if n < leastUnderstood {
			return fail(remedy, "%d words of the sample call understood; expected at least %d", n,
				leastUnderstood)
		}
		return ok("%d words of the sample call understood, %.1f s for %.0f s of speech", n, took.Seconds(),
			pcm.Duration().Seconds())
	}}
}

// opening returns the agent's channel of the first seconds of the sample call.
func opening(ctx context.Context, d *audio.Decoder) (*sound.PCM, error) {
	f, err := os.CreateTemp(d.Temp, "doctor-*-"+sample.Name)
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if _, err := f.Write(sample.Call()); err != nil {
		return nil, err
	}
	decoded, err := d.Decode(ctx, f.Name(), "audio/flac")
	if err != nil {
		return nil, err
	}
	defer decoded.Close()
	return decoded.Track(0).Read(sound.Segment{End: heard})
}

// countUnderstood counts the distinct recognised words that also occur in the agent's first turns.
func countUnderstood(found *asr.Recognition) (int, error) {
	turns, err := sample.Turns()
	if err != nil {
		return 0, err
	}
	said := map[string]bool{}
	for _, t := range turns {
		if t.Start < heard && t.Speaker == turns[0].Speaker {
			for _, word := range strings.Fields(t.Text) {
				said[plain(word)] = true
			}
		}
	}
	n := 0
	for _, w := range found.Words {
		if word := plain(w.Text); said[word] {
			delete(said, word)
			n++
		}
	}
	return n, nil
}

func plain(word string) string { return strings.Trim(strings.ToLower(word), ".,;:?!") }

// Pronunciations checks for the optional program that derives the pronunciation of custom words; find is a function
// such as exec.LookPath.
func Pronunciations(find func(string) (string, error)) Check {
	return Check{"custom pronunciations", func(context.Context) Finding {
		if path, err := find("espeak-ng"); err == nil {
			return ok("espeak-ng at %s", path)
		}
		return warn("to recognise new words of custom vocabularies: apt-get install espeak-ng",
			"espeak-ng is not installed: words of custom vocabularies that are not in the dictionary are not recognised")
	}}
}
