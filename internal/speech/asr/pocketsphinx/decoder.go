package pocketsphinx

import (
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/speech/cepstrum"
	"parley/internal/words/sound"
)

const shortest = 100 * time.Millisecond // shorter audio contains no word

// mostModels is the maximum number of hidden Markov models of phones that are active at a time. Speech in the model's
// language rarely needs more. Other audio matches all models equally badly, and would take twice as long without the
// limit.
const mostModels = "10000"

// decoder is one PocketSphinx decoder with its model. It is not safe for concurrent use.
type decoder struct {
	lib      *library
	config   uintptr
	ps       uintptr
	terms    []term // custom terms, which cannot be removed
	language *blend // used by the search

	features *cepstrum.Extractor
	shift    int // samples between frames of the last utterance
}

// newDecoder returns a decoder that searches with the language models.
func newDecoder(lib *library, modelDir string) (*decoder, error) {
	lib.setLog(0)
	d, err := newSearch(lib, modelDir,
		"-bestpath", "yes", // posteriors come from the lattice
		"-maxhmmpf", mostModels)
	if err != nil {
		return nil, err
	}
	if err := d.readModels(filepath.Join(modelDir, language)); err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

// newSearch returns a decoder with acoustic model and dictionary but without a language model or grammar.
func newSearch(lib *library, modelDir string, options ...string) (*decoder, error) {
	features, err := cepstrum.New()
	if err != nil {
		return nil, err
	}
	parameters, path, err := ownMean(filepath.Join(modelDir, acoustic, "feat.params"))
	if err != nil {
		return nil, unavailable("cannot read the parameters of the PocketSphinx model; %s: %w", remedy, err)
	}
	defer parameters.Close()
	config, err := lib.configure(append([]string{
		"-featparams", path,
		"-hmm", filepath.Join(modelDir, acoustic),
		"-dict", filepath.Join(modelDir, dictionaryFile),
		"-remove_silence", "no", // its own silence removal shifts word times
	}, options...))
	if err != nil {
		return nil, err
	}
	ps := lib.init(config)
	if ps == 0 {
		lib.freeConfig(config)
		return nil, unavailable("PocketSphinx cannot load its model in %s; %s", modelDir, remedy)
	}
	return &decoder{lib: lib, config: config, ps: ps, features: features}, nil
}

func (d *decoder) close() {
	d.lib.free(d.ps)
	d.lib.freeConfig(d.config)
}

// decode recognises one utterance, normalised over its whole length (batch cepstral mean). If model is not nil, it
// also learns the speaker's voice.
func (d *decoder) decode(pcm *sound.PCM, s settings, model *acousticModel) (*asr.Recognition, error) {
	if pcm.Duration() < shortest {
		return &asr.Recognition{}, nil
	}
	d.language.weigh(s.talk)
	if err := d.utter(pcm, s); err != nil {
		return nil, err
	}
	words := plausible(d.hear(pcm, s), pcm)
	var voice []byte
	if model != nil {
		voice = d.learn(model, words, pcm, s)
	}
	return &asr.Recognition{Words: write(onsets(words, pcm), d.terms), Voice: voice}, nil
}

// utter runs the search on one utterance.
func (d *decoder) utter(pcm *sound.PCM, s settings) error {
	features := d.cepstra(pcm, s)
	rows := make([]*float32, len(features))
	for i := range features {
		rows[i] = &features[i][0]
	}
	d.shift = s.shift
	if d.lib.startUtt(d.ps) < 0 {
		return failed("PocketSphinx cannot start an utterance")
	}
	frames := d.lib.process(d.ps, &rows[0], int32(len(rows)), 0, 1)
	if ended := d.lib.endUtt(d.ps); frames < 0 || ended < 0 {
		return failed("PocketSphinx failed to decode %v of audio", pcm.Duration())
	}
	return nil
}

// frame returns the start time of a frame of the last utterance.
func (d *decoder) frame(index int, length time.Duration) time.Duration {
	return min(sound.At(index*d.shift, rate), length)
}

// word returns a word between two frames of the last utterance, the end excluded.
func (d *decoder) word(text string, first, end int, length time.Duration, confidence float64) asr.Word {
	start := d.frame(first, length)
	return asr.Word{Text: text, Start: start, End: max(start, d.frame(end, length)), Confidence: confidence}
}

// words returns the words of the best path. Frame ranges include both ends.
func (d *decoder) words(length time.Duration) []asr.Word {
	var words []asr.Word
	math := d.lib.logMath(d.ps)
	for s := d.lib.segments(d.ps, 0); s != 0; s = d.lib.nextSegment(s) {
		text := spoken(d.lib.segmentWord(s))
		if text == "" {
			continue
		}
		var first, last, unused int32
		d.lib.segmentFrames(s, &first, &last)
		posterior := d.lib.exp(math, d.lib.segmentProb(s, &unused, &unused, &unused))
		words = append(words, d.word(text, int(first), int(last)+1, length, min(max(posterior, 0), 1)))
	}
	return words
}

// variant matches the suffix of a further pronunciation, as in read(2).
var variant = regexp.MustCompile(`\(\d+\)$`)

// letter matches a spelled letter, as in b.
var letter = regexp.MustCompile(`^[a-z]\.$`)

// spoken returns the word of a dictionary entry, empty for silence and noises. Spelled letters are in upper case.
func spoken(entry string) string {
	if entry == "" || entry[0] == '<' || entry[0] == '[' || entry[0] == '+' {
		return ""
	}
	word := variant.ReplaceAllString(entry, "")
	if letter.MatchString(word) {
		return strings.ToUpper(word[:1])
	}
	return word
}
