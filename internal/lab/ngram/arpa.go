package ngram

import (
	"bufio"
	"fmt"
	"io"
	"math"
)

// Write writes the model in the ARPA format, with n-grams in the order of their words. The output does not depend on
// the order of the sentences.
func (m *Model) Write(to io.Writer) error {
	w := bufio.NewWriter(to)
	fmt.Fprintln(w, "\\data\\")
	for i, t := range m.tables {
		fmt.Fprintf(w, "ngram %d=%d\n", i+1, len(t))
	}
	for i, t := range m.tables {
		fmt.Fprintf(w, "\n\\%d-grams:\n", i+1)
		for _, g := range ordered(t) {
			m.line(w, g, i+1)
		}
	}
	fmt.Fprintln(w, "\n\\end\\")
	return w.Flush()
}

func (m *Model) line(w io.Writer, g gram, order int) {
	e := m.tables[order-1][g]
	fmt.Fprintf(w, "%.3f", log10(e.p))
	for _, n := range g[:order] {
		fmt.Fprintf(w, " %s", m.words[n])
	}
	if order < len(m.tables) {
		fmt.Fprintf(w, " %.3f", log10(e.backoff))
	}
	fmt.Fprintln(w)
}

// log10 returns −99 for 0, as is usual in the format.
func log10(p float64) float64 {
	if p <= 0 {
		return -99
	}
	return max(math.Log10(p), -99)
}
