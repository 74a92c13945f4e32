package pocketsphinx

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"parley/internal/asr"
	"parley/internal/fault"
	"parley/internal/sound"
)

// aligner is a decoder that knows no language model: it hears the words that it is told to expect.
type aligner struct {
	decoder *decoder
	names   map[string]string // dictionary entry of each word that was looked up; empty: it cannot be said
}

const (
	expected      = "expected" // name of its search
	edge          = 3          // phrases at each end that need not be said
	forced        = 0.9        // confidence of the words: their text was given
	formsOfPhrase = 6
	mostNames     = 20_000 // words that an aligner has looked up before it is made anew
)

// newAligner returns an aligner, with beams wide enough for speech that is not quite as the text has it.
func newAligner(lib *library, modelDir string) (*aligner, error) {
	config, err := lib.configure([]string{
		"-hmm", filepath.Join(modelDir, acoustic),
		"-dict", filepath.Join(modelDir, dictionaryFile),
		"-remove_silence", "no", "-bestpath", "no",
		"-beam", "1e-80", "-pbeam", "1e-80", "-wbeam", "1e-60",
	})
	if err != nil {
		return nil, err
	}
	ps := lib.init(config)
	if ps == 0 {
		lib.freeConfig(config)
		return nil, fault.New(fault.Unavailable, fault.CodeEngineFailed, "PocketSphinx cannot load its model in %s; %s", modelDir, remedy)
	}
	return &aligner{&decoder{lib: lib, config: config, ps: ps}, map[string]string{}}, nil
}

// align finds the times of phrases in audio. It finds none where the audio does not fit them.
func (a *aligner) align(ctx context.Context, pcm *sound.PCM, phrases []asr.Phrase) ([]asr.Word, error) {
	if pcm.Duration() < shortest {
		return nil, nil
	}
	d := a.decoder
	a.learn(ctx, phrases)
	grammar, words := a.grammar(phrases)
	if len(words) == 0 {
		return nil, nil
	}
	if d.lib.setGrammar(d.ps, expected, grammar) < 0 || d.lib.setSearch(d.ps, expected) < 0 {
		return nil, fault.New(fault.Internal, fault.CodeEngineFailed, "PocketSphinx refuses a text of %d phrases", len(phrases))
	}
	if err := d.utter(pcm); err != nil {
		return nil, err
	}
	return a.found(words, pcm.Duration()), nil
}

// found reads the words of the only path.
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
		start := min(time.Duration(first)*frame, length)
		words = append(words, asr.Word{Text: text, Start: start, End: max(start, min(time.Duration(last+1)*frame, length)), Confidence: forced})
	}
	return words
}

// learn adds the words to the dictionary that it lacks.
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

// name returns the dictionary entry of a word: its own, or a new one.
func (a *aligner) name(word string, p *pronouncer) string {
	if lower := strings.ToLower(word); plainWord.MatchString(lower) && a.decoder.pronunciations(lower) != nil {
		return lower
	}
	ways := p.phrase(word)
	if len(ways) == 0 {
		return ""
	}
	name := fmt.Sprintf("x%dx", len(a.names))
	for i, phones := range ways[:min(len(ways), mostWays)] {
		variant := name
		if i > 0 {
			variant = fmt.Sprintf("%s(%d)", name, i+1)
		}
		if a.decoder.lib.addWord(a.decoder.ps, variant, phones, 0) < 0 {
			return ""
		}
	}
	return name
}

// grammar returns the phrases in a row as JSGF, and the text of each of its words. Phrases at both ends may be
// missing, the outer ones first.
func (a *aligner) grammar(phrases []asr.Phrase) (string, map[string]string) {
	words := map[string]string{}
	var parts []string
	for _, p := range phrases {
		if part := a.alternatives(p, words); part != "" {
			parts = append(parts, part)
		}
	}
	ends := min(edge, len(parts)/2)
	before, after := "", ""
	for i := range ends {
		before = "[ " + before + " " + parts[i] + " ]"
		after = "[ " + parts[len(parts)-1-i] + " " + after + " ]"
	}
	core := strings.Join(parts[ends:len(parts)-ends], " ")
	return "#JSGF V1.0;\ngrammar align;\npublic <text> = " + before + " " + core + " " + after + ";\n", words
}

// alternatives returns the ways of saying a phrase, empty if there is none.
func (a *aligner) alternatives(p asr.Phrase, words map[string]string) string {
	var ways []string
	for _, form := range p.Forms[:min(len(p.Forms), formsOfPhrase)] {
		var names []string
		for _, w := range form {
			if name := a.names[w]; name != "" {
				names = append(names, name)
				words[name] = w
			}
		}
		if len(names) == len(form) && len(form) > 0 {
			ways = append(ways, strings.Join(names, " "))
		}
	}
	if len(ways) == 0 {
		return ""
	}
	return "( " + strings.Join(ways, " | ") + " )"
}
