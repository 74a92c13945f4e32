// Package punctuation restores sentence ends, question marks, commas and capitals, which recognisers leave out. It
// uses the words, the pauses between them and the turns of the speakers.
//
// A small statistical model embedded in the program (model.bin.gz, trained by the program in train) makes the
// decisions; proper names come from lists. The package does not convert numbers to digits, changes nothing in words
// other than capitals, and supports American English only.
package punctuation

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"time"

	"parley/internal/words/transcript"
)

// Request holds the model and the names to punctuate with.
type Request struct {
	Model *Model
	Names *Names // nil: only sentence starts and "I" are capitalised
	Where []bool // for each word of the transcript, whether marks and capitals may be set there; nil: everywhere
}

// Load returns a request with the embedded model and names. They are read once per process, which takes a few tens of
// milliseconds; the request is immutable and shared.
func Load() (*Request, error) { return builtIn() }

var builtIn = sync.OnceValues(unpack)

func unpack() (*Request, error) {
	model, err := ReadModel(bytes.NewReader(modelFile))
	if err != nil {
		return nil, err
	}
	return &Request{Model: model, Names: NewNames(knownNames, learntNames)}, nil
}

// Apply returns the transcript with punctuation and capitals. The words of each speaker are one text, regardless of
// what others say in between. A mark becomes a word of kind Punctuation directly after its word, with both times
// equal to the end of that word. A word already followed by punctuation keeps it and gets no other mark, so Apply is
// idempotent. No full stop is added after the dot of an abbreviation. Except for capitals, the words and their order
// do not change.
func Apply(t *transcript.Transcript, r *Request) *transcript.Transcript {
	out := *t
	out.Words = slices.Clone(t.Words)
	marks := make([]Mark, len(t.Words))
	for _, text := range texts(t) {
		if !slices.ContainsFunc(text.places, r.at) {
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

// at reports whether changes are allowed at a word.
func (r *Request) at(word int) bool { return r.Where == nil || r.Where[word] }

// insert inserts each mark after its word.
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

// text is the speech of one speaker in the whole recording.
type text struct {
	tokens []Token
	given  []Mark // existing marks
	places []int  // indices of the tokens in Transcript.Words
	words  []string
}

// texts splits a transcript by speaker.
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

// turnPause is the minimum pause between two turns of a speaker.
const turnPause = 700 * time.Millisecond

// turns numbers the turns: for each word, how often its speaker was interrupted before it, that is, somebody else
// spoke in a pause of at least turnPause.
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
