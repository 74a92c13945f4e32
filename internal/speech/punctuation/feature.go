package punctuation

import (
	"slices"
	"strings"
	"time"

	"parley/internal/words/phrase"
)

// pad stands for words before the first and after the last.
var pad = hash("</s>")

// sentence holds the feature inputs of one text, a value per token.
type sentence struct {
	word   []uint64 // hash of the folded word
	class  []uint64 // hash of the word's class
	pause  []uint64 // class of the pause after the token; turn changes and the end have classes of their own
	rank   []uint64 // class of the rank of the pause among all pauses of this text
	opener []bool
	joined []bool // the token and the next one are digits of one number
	invert []int  // index of the latest token so far that begins an inversion, −1 if none
}

func newSentence(tokens []Token) *sentence {
	n := len(tokens)
	s := &sentence{make([]uint64, n), make([]uint64, n), make([]uint64, n), ranks(tokens), make([]bool, n),
		make([]bool, n), make([]int, n)}
	folded := make([]string, n)
	for i, t := range tokens {
		folded[i] = fold(t.Word)
		s.word[i], s.class[i] = hash(folded[i]), hash(class(folded[i]))
		s.pause[i] = uint64(PauseClass(t.Pause)) + 1
		s.opener[i] = openers[folded[i]]
		if i > 0 {
			s.joined[i-1] = digits[folded[i-1]] && digits[folded[i]] && !tokens[i-1].Turn &&
				tokens[i-1].Pause < numberPause
		}
		if t.Turn {
			s.pause[i] += 20
		}
	}
	if n > 0 {
		s.pause[n-1] = 50
	}
	last := -1
	for i := range folded {
		if i+1 < n && inverts(folded[i], folded[i+1]) {
			last = i
		}
		s.invert[i] = last
	}
	return s
}

// numberPause is the longest pause between two groups of digits of one number.
const numberPause = 1500 * time.Millisecond

// ranks returns for each token the share of the text's gaps with at least the same pause: 0 for less than a
// hundredth, then a class per doubling. The pause length that matters depends on the speaker.
func ranks(tokens []Token) []uint64 {
	lengths := make([]time.Duration, len(tokens))
	for i, t := range tokens {
		lengths[i] = t.Pause
	}
	slices.Sort(lengths)
	ranks := make([]uint64, len(tokens))
	for i, t := range tokens {
		shorter, _ := slices.BinarySearch(lengths, t.Pause)
		for share := 100 * (len(tokens) - shorter) / len(tokens); share > 0; share /= 2 {
			ranks[i]++
		}
	}
	return ranks
}

// fold returns the form of a word on which the model was trained: without the points of acronyms, which not every
// engine writes. Apostrophes and hyphens stay, because they distinguish words such as "we're" and "were".
func fold(word string) string {
	return strings.ReplaceAll(strings.ReplaceAll(phrase.Fold(word), "’", "'"), ".", "")
}

// hash returns the 64-bit FNV-1a hash.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// mix hashes a template number and up to four values into one feature.
func mix(template uint64, values ...uint64) uint32 {
	h := template*0x9E3779B97F4A7C15 + 1
	for _, v := range values {
		h = (h ^ v) * 0xBF58476D1CE4E5B9
		h ^= h >> 29
	}
	return uint32(h >> 32)
}

func at(values []uint64, i int) uint64 {
	if i < 0 || i >= len(values) {
		return pad
	}
	return values[i]
}

// around appends the features of the gap after token i that do not depend on the sentence start.
func (s *sentence) around(i int, f []uint32) []uint32 {
	w := [7]uint64{}
	c := [5]uint64{}
	for k := range w {
		w[k] = at(s.word, i-3+k) // w[3] is the token
	}
	for k := range c {
		c[k] = at(s.class, i-2+k) // c[2] is the token
	}
	before, here, after := at(s.pause, i-1), s.pause[i], at(s.pause, i+1)
	return append(f,
		mix(1), mix(2, w[1]), mix(3, w[2]), mix(4, w[3]), mix(5, w[4]), mix(6, w[5]), mix(7, w[6]),
		mix(8, w[2], w[3]), mix(9, w[3], w[4]), mix(10, w[4], w[5]), mix(11, w[2], w[4]), mix(12, w[5], w[6]),
		mix(13, w[1], w[2], w[3]), mix(14, w[2], w[3], w[4]), mix(15, w[3], w[4], w[5]), mix(16, w[4], w[5], w[6]),
		mix(17, w[2], w[3], w[4], w[5]),
		mix(18, c[2], c[3]), mix(19, c[1], c[2], c[3]), mix(20, c[2], c[3], c[4]), mix(21, c[1], c[2], c[3], c[4]),
		mix(22, c[0], c[1], c[2]), mix(23, c[3], c[4]), mix(24, c[2], w[4]), mix(25, w[3], c[3]),
		mix(26, here), mix(27, here, c[2]), mix(28, here, c[3]), mix(29, here, c[2], c[3]), mix(30, here, w[3]),
		mix(31, here, w[4]),
		mix(35, s.rank[i]), mix(36, s.rank[i], here), mix(37, s.rank[i], c[2]), mix(38, s.rank[i], c[3]),
		mix(39, s.rank[i], c[2], c[3]),
		mix(32, before, here, after), mix(33, before, here), mix(34, here, c[3], c[4]),
	)
}

// from appends the features of a sentence that starts at token first.
func (s *sentence) from(first int, f []uint32) []uint32 {
	head := s.head(first)
	w := func(i int) uint64 { return at(s.word, i) }
	c := func(i int) uint64 { return at(s.class, i) }
	return append(f,
		mix(40, w(head)), mix(41, w(head), w(head+1)), mix(42, w(head), w(head+1), w(head+2)),
		mix(43, c(head), c(head+1), c(head+2)), mix(44, w(first)), mix(45, w(head), c(head+1)),
	)
}

// head returns the first token of a sentence that is not an opener such as "well" or "okay".
func (s *sentence) head(first int) int {
	head := first
	for head+1 < len(s.word) && head < first+3 && s.opener[head] {
		head++
	}
	return head
}

// within appends the features of the gap after token i in a sentence that starts at token first.
func (s *sentence) within(first, i int, f []uint32) []uint32 {
	length := lengthClass(i - first + 1)
	inversion, far := uint64(0), uint64(0) // none in this sentence
	if at := s.invert[i]; at >= first {
		inversion, far = 1, lengthClass(i-at+1)
		if at > s.head(first) {
			inversion = 2
		}
	}
	f = append(f, mix(50, length, s.pause[i]), mix(51, inversion, far), mix(52, inversion, s.pause[i]),
		mix(55, length, s.rank[i]), mix(53, inversion, at(s.class, i+1)))
	head := s.class[s.head(first)]
	f = append(f, mix(56, head, s.pause[i]), mix(57, head, s.rank[i]),
		mix(58, head, at(s.class, i+1), at(s.class, i+2)))
	if i-first < 4 {
		f = append(f, mix(54, uint64(i-first), s.word[first], s.word[i]))
	}
	return f
}

// lengthClass returns the class of a sentence length in words.
func lengthClass(n int) uint64 {
	for i, limit := range [...]int{1, 2, 3, 4, 5, 7, 10, 14, 19, 27} {
		if n <= limit {
			return uint64(i)
		}
	}
	return 10
}
