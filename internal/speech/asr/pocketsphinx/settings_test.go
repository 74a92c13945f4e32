package pocketsphinx

import (
	"context"
	"fmt"
	"hash/maphash"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley/internal/lab/eval"
	"parley/internal/speech/asr"
	"parley/internal/speech/audio"
)

func TestOnlyTelephonesArePredictedAndOnlyTalkIsVotedOn(t *testing.T) {
	for name, c := range map[string]struct {
		source          asr.Source
		telephone, vote bool
		shift           int
	}{
		"studio":                 {asr.Source{Rate: 44100}, false, false, readShift},
		"telephone":              {asr.Source{Rate: 8000}, true, true, readShift},
		"stereo call":            {asr.Source{Rate: 16000, Call: true, Other: 1}, false, true, callShift},
		"stereo telephone":       {asr.Source{Rate: 8000, Call: true, Other: 1}, true, true, callShift},
		"rate that is not known": {asr.Source{}, false, true, readShift},
	} {
		u := usual(c.source)
		if u.telephone != c.telephone || u.vote != c.vote || u.shift != c.shift {
			t.Errorf("%s: %+v", name, u)
		}
	}
}

// tuned recognises with non-default settings. It caches lattices, because some settings apply after the search.
type tuned struct {
	turn    sync.Mutex
	decoder *decoder
	change  func(*settings)
	kept    map[searched]*lattice
	seed    maphash.Seed
}

// searched identifies an utterance and the settings of its search.
type searched struct {
	audio     uint64
	shift     int
	telephone bool
	talk      float64
}

// Recognize implements asr.Recognizer.
func (r *tuned) Recognize(_ context.Context, q asr.Request) (*asr.Recognition, error) {
	r.turn.Lock()
	defer r.turn.Unlock()
	s := usual(q.Source)
	r.change(&s)
	key := searched{maphash.Comparable(r.seed, fmt.Sprint(q.PCM.Samples)), s.shift, s.telephone, s.talk}
	l := r.kept[key]
	if l == nil {
		r.decoder.language.weigh(s.talk)
		if err := r.decoder.utter(q.PCM, s); err != nil {
			return nil, err
		}
		var err error
		if l, err = r.decoder.lattice(); err != nil {
			return &asr.Recognition{Words: r.decoder.words(q.PCM.Duration())}, nil
		}
		r.kept[key] = l
	}
	r.decoder.language.talk, r.decoder.shift = s.talk, s.shift
	return &asr.Recognition{Words: plausible(r.decoder.elected(q.PCM.Duration(), r.decoder.graph(l.copy(), s)), q.PCM)},
		nil
}

func (l *lattice) copy() *lattice {
	c := *l
	c.nodes = slices.Clone(l.nodes)
	for i := range c.nodes {
		c.nodes[i].exits = slices.Clone(c.nodes[i].exits)
	}
	return &c
}

// choice is a setting and its possible values.
type choice struct {
	name   string
	values []float64
	set    func(s *settings, value float64)
}

// mostWorse is the error rate by which the default settings may be worse; chance causes as much in a few hundred
// words.
const mostWorse = 0.03

func choices() []choice {
	return []choice{
		{"predicted", []float64{1, 0}, func(s *settings, v float64) { s.telephone = s.telephone && v > 0 }},
		{"share of conversations", []float64{0.15, 0.3, 0.45}, func(s *settings, v float64) { s.talk = v }},
		{"language weight", []float64{8, 9.5, 11}, func(s *settings, v float64) { s.language = v }},
		{"word penalty", []float64{-4, -3, -2, -1}, func(s *settings, v float64) { s.word = v }},
		{"posterior", []float64{1.0 / 6, 1.0 / 8, 1.0 / 11}, func(s *settings, v float64) { s.posterior = v }},
	}
}

// TestSettingsChosenOnFirstHalvesAreAsGoodOnSecondOnes tunes each setting in turn by the word errors in the first
// halves of the calls in the folder PARLEY_TUNE, and of its other recordings filtered to telephone quality. The
// default settings must not be much worse on the second halves.
func TestSettingsChosenOnFirstHalvesAreAsGoodOnSecondOnes(t *testing.T) {
	dir := os.Getenv("PARLEY_TUNE")
	if dir == "" {
		t.Skip("PARLEY_TUNE is not set: no folder with recordings to choose settings by")
	}
	d := opened(t)
	defer d.close()
	recognizer := &tuned{decoder: d, kept: map[searched]*lattice{}, seed: maphash.MakeSeed()}
	measure := func(change func(*settings)) [2]eval.Score {
		recognizer.change = change
		return halves(t, dir, recognizer)
	}
	usually := measure(func(*settings) {})
	t.Logf("usual settings: %s", rates(usually))
	best, chosen := usually, func(*settings) {}
	for _, c := range choices() {
		before := chosen
		for _, v := range c.values {
			change := func(s *settings) { before(s); c.set(s, v) }
			found := measure(change)
			t.Logf("%s %.3g: %s", c.name, v, rates(found))
			if found[0].Rate() < best[0].Rate() {
				best, chosen = found, change
			}
		}
	}
	t.Logf("chosen: %s", rates(best))
	if usually[1].Rate() > best[1].Rate()+mostWorse {
		t.Errorf("second halves have %.1f %% errors with the usual settings, %.1f %% with those chosen on the first ones", 100*usually[1].Rate(), 100*best[1].Rate())
	}
}

// halves measures conversations as they are, and other recordings filtered to telephone quality.
func halves(t *testing.T, dir string, r asr.Recognizer) (sum [2]eval.Score) {
	t.Helper()
	for telephone, folder := range sorted(t, dir) {
		table, err := eval.WER(t.Context(),
			&eval.Request{Dir: folder, Decoder: &audio.Decoder{}, Recognizer: r, Longest: MaxChunk,
				Telephone: telephone})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range table {
			t.Logf("    %s %s", map[bool]string{true: "through a telephone", false: "as it is"}[telephone]+": "+row.Set,
				rates(row.Halves))
			sum[0], sum[1] = sum[0].Plus(row.Halves[0]), sum[1].Plus(row.Halves[1])
		}
	}
	return sum
}

// sorted returns two folders of links to recordings: those measured as they are, and those filtered to telephone
// quality.
func sorted(t *testing.T, dir string) map[bool]string {
	t.Helper()
	recordings, err := eval.Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	folders := map[bool]string{false: t.TempDir(), true: t.TempDir()}
	for _, r := range recordings {
		decoded, err := (&audio.Decoder{}).Decode(t.Context(), r.Path, "")
		if err != nil {
			t.Fatal(err)
		}
		decoded.Close()
		if usual(asr.Source{Rate: decoded.SourceRate, Call: r.Call}).vote {
			link(t, r.Path, folders[false])
		}
		if decoded.SourceRate > telephoneRate {
			link(t, r.Path, folders[true])
		}
	}
	return folders
}

// link links a recording and the files with the same base name.
func link(t *testing.T, path, folder string) {
	t.Helper()
	files, err := filepath.Glob(strings.TrimSuffix(path, filepath.Ext(path)) + ".*")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := os.Symlink(f, filepath.Join(folder, filepath.Base(f))); err != nil {
			t.Fatal(err)
		}
	}
}

func rates(halves [2]eval.Score) string {
	return fmt.Sprintf("first halves %.1f %%, second halves %.1f %%", 100*halves[0].Rate(), 100*halves[1].Rate())
}
