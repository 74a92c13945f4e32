package caption

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"parley/internal/words/list"
)

// segment splits the words of a turn into cues, each of which can be laid out after lead. It minimises the cost
// (dynamic programming as in Knuth and Plass, "Breaking paragraphs into lines", 1981): few cues that end at sentences,
// commas or pauses, none of them nearly empty or too short to read.
func segment(words []token, lead string) [][]token {
	best := make([]float64, len(words)+1) // cost of words[i:]
	next := make([]int, len(words))       // end of the cue that begins at i
	for i := len(words) - 1; i >= 0; i-- {
		best[i] = math.Inf(1)
		f := filler{}
		f.add(width(lead))
		for j := i; j < len(words) && together(words[i:j+1]) && (f.add(words[j].width) || j == i); j++ {
			if c := cost(words, i, j+1, f.total) + best[j+1]; c <= best[i] {
				best[i], next[i] = c, j+1
			}
		}
	}
	var cues [][]token
	for i := 0; i < len(words); i = next[i] {
		cues = append(cues, words[i:next[i]])
	}
	return cues
}

// together reports whether words may share a cue: they are not too long, and there is no long pause before the last.
func together(words []token) bool {
	n := len(words)
	if n == 1 {
		return true
	}
	return words[n-1].end-words[0].start <= longest && words[n-1].start-words[n-2].end < silence
}

// cost returns the cost of the cue words[i:j] with the given width, including lead.
func cost(words []token, i, j, width int) float64 {
	empty := max(0, 1-float64(width)/(maxLine*maxLines))
	c := 1 + 0.5*empty*empty
	if j < len(words) {
		c += breakCost(words[j-1], words[j])
		if words[j].start-words[i].start < shortest {
			c += 2
		}
	}
	return c
}

// breakCost returns the cost of a break between two words; the end of a sentence costs nothing.
func breakCost(a, b token) float64 {
	end, _ := utf8.DecodeLastRuneInString(strings.TrimRight(a.text, `"')”’`))
	switch {
	case strings.ContainsRune(".?!…", end):
		return 0
	case strings.ContainsRune(",;:–—", end):
		return 0.3
	case b.start-a.end >= 300e6: // 300 ms
		return 0.5
	}
	return 1
}

// filler fills lines greedily with words.
type filler struct {
	line  int // number of full lines
	used  int // characters in the current line
	total int // total number of characters, including spaces
}

// add appends a word of the given width and reports whether all words fit.
func (f *filler) add(width int) bool {
	if width == 0 {
		return true
	}
	f.total += width + min(f.total, 1)
	if f.used > 0 && f.used+1+width <= maxLine {
		f.used += 1 + width
		return true
	}
	if f.used > 0 {
		f.line++
	}
	f.used = width
	return f.line < maxLines
}

// layout joins words into one line, or into two of about the same length. It breaks after punctuation if that costs
// little.
func layout(words []token, lead string) []string {
	if lead != "" {
		words = slices.Insert(slices.Clone(words), 0, token{text: lead, width: width(lead), end: words[0].start})
	}
	total := lineWidth(words)
	if total <= maxLine || len(words) == 1 {
		return []string{join(words)}
	}
	best, at := math.Inf(1), 1
	for k := 1; k < len(words); k++ {
		first, second := lineWidth(words[:k]), lineWidth(words[k:])
		c := float64(max(first, second)) + 6*breakCost(words[k-1], words[k])
		if first > maxLine && k > 1 || second > maxLine && k < len(words)-1 {
			c += 1000
		}
		if c < best {
			best, at = c, k
		}
	}
	return []string{join(words[:at]), join(words[at:])}
}

func lineWidth(words []token) int {
	n := len(words) - 1
	for _, w := range words {
		n += w.width
	}
	return n
}

func join(words []token) string {
	return strings.Join(list.Map(words, func(w token) string { return w.text }), " ")
}

func width(text string) int { return utf8.RuneCountInString(text) }
