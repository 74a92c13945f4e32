package eval

import "strings"

// The marks that are scored. Exclamation marks and semicolons count as full stops, colons and dashes as
// commas (as in Tilk & Alumäe 2016).
const (
	Comma = iota
	Period
	Question
	markKinds
)

// Marks counts the punctuation marks of one kind.
type Marks struct{ Correct, Wrong, Missed int }

// F1 returns the harmonic mean of precision and recall, 0 if there are no correct marks.
func (m Marks) F1() float64 {
	if m.Correct == 0 {
		return 0
	}
	return 2 * float64(m.Correct) / float64(2*m.Correct+m.Wrong+m.Missed)
}

func (m Marks) plus(o Marks) Marks {
	return Marks{m.Correct + o.Correct, m.Wrong + o.Wrong, m.Missed + o.Missed}
}

// PunctuationScore counts each kind of mark, by Comma, Period and Question.
type PunctuationScore [markKinds]Marks

// Plus returns the sum of two scores.
func (s PunctuationScore) Plus(o PunctuationScore) PunctuationScore {
	for k := range s {
		s[k] = s[k].plus(o[k])
	}
	return s
}

// Micro returns the sum over all kinds.
func (s PunctuationScore) Micro() Marks { return s[Comma].plus(s[Period]).plus(s[Question]) }

// Punctuation scores the marks at the ends of words, both sides as written ("Well, yes."). Words are aligned as in
// Compare. A mark is correct if the other side has it in the same gap. Where one side lacks words or has extra ones,
// all marks between the nearest common neighbours are in the same gap.
func Punctuation(reference, got []string) PunctuationScore {
	return scoreMarks(reference, got, false)
}

// InnerPunctuation is Punctuation without the gap after the last word.
func InnerPunctuation(reference, got []string) PunctuationScore {
	return scoreMarks(reference, got, true)
}

func scoreMarks(reference, got []string, inner bool) PunctuationScore {
	ref, hyp := Normalize(reference), Normalize(got)
	pairs := Align(ref, hyp)
	there, found := gaps(pairs, reference, ref, refSide), gaps(pairs, got, hyp, heardSide)
	if inner {
		there, found = there[:len(there)-1], found[:len(found)-1]
	}
	var s PunctuationScore
	for g := range there {
		for k := range s {
			right := min(there[g][k], found[g][k])
			s[k] = s[k].plus(Marks{Correct: right, Wrong: found[g][k] - right, Missed: there[g][k] - right})
		}
	}
	return s
}

func refSide(p Pair) int   { return p.Reference }
func heardSide(p Pair) int { return p.Heard }

// gaps counts one side's marks of each kind after each token that both sides have; the first gap is before all of them.
func gaps(pairs []Pair, words []string, tokens []Token, side func(Pair) int) [][markKinds]int {
	counts := make([][markKinds]int, 1)
	for _, p := range pairs {
		if p.Reference >= 0 && p.Heard >= 0 {
			counts = append(counts, [markKinds]int{})
		}
		i := side(p)
		if i < 0 {
			continue
		}
		next := len(words)
		if i+1 < len(tokens) {
			next = tokens[i+1].Word
		}
		for _, word := range words[tokens[i].Word:next] {
			if k := MarkOf(word); k >= 0 {
				counts[len(counts)-1][k]++
			}
		}
	}
	return counts
}

// MarkOf returns the kind of the mark at the end of a written word, −1 for none. It ignores quotes and brackets.
func MarkOf(word string) int {
	word = strings.TrimRight(word, `"”“’'»)]}`)
	switch {
	case word == "" || titles[strings.ToLower(word)]:
		return -1
	case strings.HasSuffix(word, "?"):
		return Question
	case strings.HasSuffix(word, ",") || strings.HasSuffix(word, ":") || strings.HasSuffix(word, "–") ||
		strings.HasSuffix(word, "—") || strings.HasSuffix(word, "--"):
		return Comma
	case strings.HasSuffix(word, ".") || strings.HasSuffix(word, "!") || strings.HasSuffix(word, ";") ||
		strings.HasSuffix(word, "…"):
		return Period
	}
	return -1
}

var titles = map[string]bool{"mr.": true, "mrs.": true, "ms.": true, "dr.": true, "st.": true}
