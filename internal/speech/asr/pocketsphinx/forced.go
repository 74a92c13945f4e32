package pocketsphinx

import (
	"context"
	"fmt"
	"strings"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/words/sound"
)

// aligner is a decoder without a language model. It recognises only the expected words.
type aligner struct {
	decoder *decoder
	names   map[string]string // dictionary entry by word; empty if the word cannot be pronounced
}

const (
	expected  = "expected" // name of the search
	forced    = 0.9        // confidence of words whose text was given
	mostNames = 20_000     // number of words after which an aligner is recreated
)

// newAligner returns an aligner with beams wide enough for speech that deviates slightly from the text.
func newAligner(lib *library, modelDir string) (*aligner, error) {
	d, err := newSearch(lib, modelDir, "-bestpath", "no", "-beam", "1e-80", "-pbeam", "1e-80", "-wbeam", "1e-60")
	if err != nil {
		return nil, err
	}
	return &aligner{d, map[string]string{}}, nil
}

// align returns the times of phrases in audio. It returns none if the audio does not match them.
func (a *aligner) align(
	ctx context.Context, pcm *sound.PCM, source asr.Source, phrases []asr.Phrase,
) ([]asr.Word, error) {
	if pcm.Duration() < shortest {
		return nil, nil
	}
	d := a.decoder
	a.learn(ctx, phrases)
	g := a.grammar(phrases)
	if len(g.words) == 0 {
		return nil, nil
	}
	if err := d.follow(g.String()); err != nil {
		return nil, failed("PocketSphinx cannot align a text of %d phrases: %w", len(phrases), err)
	}
	// the words are known: the model's own frame shift times them more precisely than the one that finds more words
	source.Call = false
	if err := d.utter(pcm, usual(source)); err != nil {
		return nil, err
	}
	return onsets(a.found(g.words, pcm.Duration()), pcm), nil
}

// found returns the words of the only path.
func (a *aligner) found(texts map[string]string, length time.Duration) []asr.Word {
	d := a.decoder
	var words []asr.Word
	for s := d.lib.segments(d.ps, 0); s != 0; s = d.lib.nextSegment(s) {
		text, known := texts[variant.ReplaceAllString(d.lib.segmentWord(s), "")]
		if !known {
			continue // silence, noise, the grammar's empty transitions
		}
		var first, last int32
		d.lib.segmentFrames(s, &first, &last)
		words = append(words, d.word(text, int(first), int(last)+1, length, forced))
	}
	return words
}

// learn adds missing words to the dictionary.
func (a *aligner) learn(ctx context.Context, phrases []asr.Phrase) {
	p := &pronouncer{dictionary: a.decoder.pronunciations, synthesise: espeak}
	var unknown []string
	for _, phrase := range phrases {
		for _, form := range phrase.Forms {
			for _, w := range form {
				if _, done := a.names[w]; !done {
					a.names[w] = ""
					unknown = append(unknown, w)
				}
			}
		}
	}
	p.learn(ctx, unknown)
	for _, w := range unknown {
		a.names[w] = a.name(w, p)
	}
}

// name returns the dictionary entry of a word, adding one if necessary.
func (a *aligner) name(word string, p *pronouncer) string {
	if lower := strings.ToLower(word); plainWord.MatchString(lower) && a.decoder.pronunciations(lower) != nil {
		return lower
	}
	ways := p.phrase(word)
	if len(ways) == 0 {
		return ""
	}
	name := fmt.Sprintf("x%dx", len(a.names))
	if !a.decoder.add(name, ways[:min(len(ways), mostWays)]) {
		return ""
	}
	return name
}
