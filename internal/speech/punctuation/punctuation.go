// Package punctuation restores what recognisers leave out: sentence ends, question marks, commas and
// capitals, from the words, the pauses between them and the turns of the speakers.
//
// The decisions come from a small statistical model that is part of the program (model.bin.gz, made by
// the program in train); proper names come from lists. This package does not write numbers as figures, does
// not change words but for their capitals, and knows American English only.
package punctuation

import (
	"slices"
	"strings"
	"sync"
	"time"

	"parley/internal/words/transcript"
)

// Request says with what to punctuate.
type Request struct {
	Model *Model
	Names *Names // nil: only sentence starts and "I" are capitalised
	Where []bool // of each word of the transcript: whether marks and capitals may be set there; nil: everywhere
}

// Load returns a request with the model and the names that are part of the program. They are read once a process, which
// takes a few tens of milliseconds; the request is immutable and shared.
func Load() (*Request, error) { return builtIn() }

var builtIn = sync.OnceValues(unpack)

func unpack() (*Request, error) {
	model, err := embeddedModel()
	if err != nil {
		return nil, err
	}
	return &Request{Model: model, Names: embeddedNames()}, nil
}

// Apply returns the transcript with punctuation and capitals. Each speaker's words are one text, whatever
// others say in between. A mark becomes a word of kind Punctuation directly behind its word, with both
// times that of the word's end. Words that are followed by punctuation already keep it, and no other mark
// is set there; so Apply is idempotent. No full stop follows the dot of an abbreviation. The words and their order
// stay, but for capitals.
func Apply(t *transcript.Transcript, r *Request) *transcript.Transcript {
	out := *t
	out.Words = slices.Clone(t.Words)
	marks := make([]Mark, len(t.Words))
	for _, text := range texts(t) {
		if !r.anywhere(text.places) {
			continue
		}
		chosen := r.Model.Marks(text.tokens, text.given)
		for i, at := range text.places {
			switch {
			case !r.at(at):
				chosen[i] = text.given[i]
			case text.given[i] == None && !(chosen[i] == Period && strings.HasSuffix(text.words[i], ".")):
				marks[at] = chosen[i]
			}
		}
		for i, c := range r.Names.capitals(text, chosen) {
			if w := &out.Words[text.places[i]]; w.Kind == transcript.Spoken && r.at(text.places[i]) {
				w.Text = c
			}
		}
	}
	out.Words = insert(out.Words, marks)
	return &out
}

// at reports whether something may be set at a word.
func (r *Request) at(word int) bool { return r.Where == nil || r.Where[word] }

// anywhere reports whether something may be set at one of some words.
func (r *Request) anywhere(words []int) bool { return slices.ContainsFunc(words, r.at) }

// insert puts each mark behind its word.
func insert(words []transcript.Word, marks []Mark) []transcript.Word {
	all := make([]transcript.Word, 0, len(words)+len(words)/6)
	for i, w := range words {
		all = append(all, w)
		if marks[i] != None {
			all = append(all, transcript.Word{
				Text: marks[i].String(), Kind: transcript.Punctuation, Start: w.End, End: w.End, Speaker: w.Speaker,
			})
		}
	}
	return all
}

// text is what one speaker says in the whole recording.
type text struct {
	tokens []Token
	given  []Mark // the marks that are there already
	places []int  // of the tokens in Transcript.Words
	words  []string
}

// texts takes the speakers apart.
func texts(t *transcript.Transcript) []text {
	speakers := len(t.Speakers)
	for _, w := range t.Words {
		speakers = max(speakers, w.Speaker+1)
	}
	all := make([]text, speakers)
	for i, w := range t.Words {
		s := &all[w.Speaker]
		if w.Kind == transcript.Punctuation {
			if n := len(s.given); n > 0 && s.given[n-1] == None {
				s.given[n-1] = markOf(w.Text)
			}
			continue
		}
		s.tokens = append(s.tokens, Token{Word: w.Text})
		s.given = append(s.given, None)
		s.places = append(s.places, i)
		s.words = append(s.words, w.Text)
	}
	turn := turns(t)
	for _, s := range all {
		for i := range s.tokens[:max(len(s.tokens)-1, 0)] {
			this, next := s.places[i], s.places[i+1]
			s.tokens[i].Pause = max(t.Words[next].Start-t.Words[this].End, 0)
			s.tokens[i].Turn = turn[this] != turn[next]
		}
	}
	return all
}

// turnPause is how long speakers at least pause between two turns.
const turnPause = 700 * time.Millisecond

// turns numbers the turns: for each word, how many times its speaker was interrupted before by somebody
// else's word in a pause of at least turnPause.
func turns(t *transcript.Transcript) []int {
	number := make([]int, len(t.Words))
	last := map[int]int{} // index of each speaker's last spoken word
	for i, w := range t.Words {
		before, known := last[w.Speaker]
		if known {
			number[i] = number[before]
		}
		if !w.Kind.Lasts() {
			continue
		}
		if known && w.Start-t.Words[before].End >= turnPause && others(t.Words[before+1:i], w.Speaker) {
			number[i]++
		}
		last[w.Speaker] = i
	}
	return number
}

func others(words []transcript.Word, speaker int) bool {
	return slices.ContainsFunc(words, func(w transcript.Word) bool {
		return w.Kind.Lasts() && w.Speaker != speaker
	})
}
