package segment

import (
	"parley/internal/index/tokenfile"
	"parley/internal/words/phrase"
)

// Words of titles and descriptions are in the postings twice: like every word, and with a mark before them, which no
// word begins with. So a title is found without the many calls in which its words are spoken. Token files have no marked
// words.

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
