package ngram

import "slices"

// counter counts the n-grams of sentences.
type counter struct {
	known  func(string) bool
	words  []string
	number map[string]int32
	counts []map[gram]int // by n-gram length, from 1
}

func newCounter(order int, known func(string) bool) *counter {
	c := &counter{known: known, words: []string{""}, number: map[string]int32{}}
	for range order {
		c.counts = append(c.counts, map[gram]int{})
	}
	c.numberOf(Start)
	c.numberOf(End)
	return c
}

// numberOf returns the number of a word, 0 for a word outside the vocabulary.
func (c *counter) numberOf(word string) int32 {
	n, seen := c.number[word]
	if !seen {
		if word == Start || word == End || c.known == nil || c.known(word) {
			n = int32(len(c.words))
			c.words = append(c.words, word)
		}
		c.number[word] = n
	}
	return n
}

// add counts all n-grams that end at each word of the sentence or at its end mark.
func (c *counter) add(sentence []string) {
	line := []int32{c.numberOf(Start)}
	for _, w := range append(slices.Clone(sentence), End) {
		n := c.numberOf(w)
		if n == 0 {
			line = line[:0]
			continue
		}
		line = append(line, n)
		for order := 1; order <= min(len(line), len(c.counts)); order++ {
			var g gram
			copy(g[:], line[len(line)-order:])
			c.counts[order-1][g]++
		}
	}
}

// sort renumbers the words in alphabetical order.
func (c *counter) sort() {
	words := slices.Sorted(slices.Values(c.words)) // the empty string, which is not a word, comes first
	number := make(map[string]int32, len(words))
	for n, w := range words {
		number[w] = int32(n)
	}
	for i, old := range c.counts {
		counts := make(map[gram]int, len(old))
		for g, n := range old {
			for k := range g[:i+1] {
				g[k] = number[c.words[g[k]]]
			}
			counts[g] = n
		}
		c.counts[i] = counts
	}
	c.words, c.number = words, number
}

// adjust replaces the counts of all but the longest n-grams by the number of distinct words before them (Kneser & Ney
// 1995). N-grams at the start of a sentence have no word before them and keep their counts.
func (c *counter) adjust() {
	start := c.number[Start]
	for order := len(c.counts) - 1; order >= 1; order-- {
		before := map[gram]int{}
		for g := range c.counts[order] {
			before[g.suffix()]++
		}
		for g := range c.counts[order-1] {
			switch {
			case g[0] == start:
			case before[g] > 0:
				c.counts[order-1][g] = before[g]
			default: // occurs only after a word outside the vocabulary
				c.counts[order-1][g] = 1
			}
		}
	}
}

// discounts returns the discounts for counts of 1, 2, and 3 or more, computed from the number of n-grams with each
// count.
func discounts(counts map[gram]int) [4]float64 {
	var with [5]float64
	for _, n := range counts {
		if n < len(with) {
			with[n]++
		}
	}
	if slices.Contains(with[1:], 0) { // too little text for an estimate
		return [4]float64{0, 0.5, 0.75, 0.9}
	}
	y := with[1] / (with[1] + 2*with[2])
	var d [4]float64
	for n := 1; n <= 3; n++ {
		d[n] = min(max(float64(n)-float64(n+1)*y*with[n+1]/with[n], 0.05), float64(n)-0.05)
	}
	return d
}

// model estimates the probabilities, from shorter to longer n-grams.
func (c *counter) model() *Model {
	c.adjust()
	m := &Model{words: c.words, number: c.number}
	for order := 1; order <= len(c.counts); order++ {
		m.tables = append(m.tables, c.table(m, order))
	}
	m.tables[0][gram{c.number[Start]}] = entry{}
	m.normalize()
	return m
}

// table returns the n-grams of one order with their interpolated probabilities.
func (c *counter) table(m *Model, order int) map[gram]entry {
	counts := c.counts[order-1]
	d := discounts(counts)
	total, taken := map[gram]float64{}, map[gram]float64{}
	for _, g := range ordered(counts) {
		n, context := counts[g], g.prefix(order-1)
		total[context] += float64(n)
		taken[context] += d[min(n, 3)]
	}
	table := make(map[gram]entry, len(counts))
	for g, n := range counts {
		context := g.prefix(order - 1)
		shorter := 1 / float64(len(c.words)-2) // uniform over all words except the start mark
		if order > 1 {
			shorter = m.probability(g.suffix(), order-1)
		}
		table[g] = entry{p: (float64(n) - d[min(n, 3)] + taken[context]*shorter) / total[context]}
	}
	return table
}
