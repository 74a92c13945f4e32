package segment

import (
	"parley/internal/index/tokenfile"
	"parley/internal/words/phrase"
)

// The postings of a word are the calls whose transcripts have it. Words of titles and of descriptions have postings of
// their own, as words after a mark, which no word begins with. Token files have no marked words.

// mark returns the mark of the words of a field, empty for the transcript.
func mark(f phrase.Field) string {
	switch f {
	case phrase.Title:
		return "\x01"
	case phrase.Description:
		return "\x02"
	}
	return ""
}

// unmarked returns a word without its mark, if it has one.
func unmarked(word string) (string, bool) {
	if word != "" && word[0] <= mark(phrase.Description)[0] {
		return word[1:], true
	}
	return word, false
}

// leastWord is the least text of a word without a mark.
const leastWord = "\x03"

// marked returns the numbers of the marked words of a call. word returns the text of a word by its place in the call.
func (b *Builder) marked(parts []tokenfile.Part, word func(at int) string) (numbers []uint32) {
	for _, p := range parts {
		if m := mark(p.Field); m != "" {
			for at := p.From; at < p.To; at++ {
				numbers = append(numbers, b.number(m+word(at)))
			}
		}
	}
	return numbers
}
