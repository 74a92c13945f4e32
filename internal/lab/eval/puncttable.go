package eval

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"parley/internal/words/transcript"
)

// thresholds is the number of pause lengths that the baseline tries.
const thresholds = 20

// threshold returns the i-th pause length at which the baseline ends a sentence.
func threshold(i int) time.Duration { return time.Duration(i+1) * 100 * time.Millisecond }

// Condition holds the scores for one kind of words.
type Condition struct {
	Restored PunctuationScore
	Inner    PunctuationScore             // Restored, without the ends of recordings
	ByPause  [thresholds]PunctuationScore // sentences end at every pause of threshold(i)
}

func (c Condition) plus(o Condition) Condition {
	c.Restored, c.Inner = c.Restored.Plus(o.Restored), c.Inner.Plus(o.Inner)
	for i := range c.ByPause {
		c.ByPause[i] = c.ByPause[i].Plus(o.ByPause[i])
	}
	return c
}

// Pauses counts the pauses of the reference words by the mark in the gap (none, comma, sentence end) and by length.
type Pauses [3][len(pauseLimits) + 1]int

var pauseLimits = [...]time.Duration{
	20 * time.Millisecond, 60 * time.Millisecond, 120 * time.Millisecond, 200 * time.Millisecond,
	350 * time.Millisecond,
	600 * time.Millisecond, time.Second, 2 * time.Second,
}

// pausesOf counts the pauses between consecutive spoken words of the reference, by the mark between them and by length.
func pausesOf(reference []string, t *transcript.Transcript) Pauses {
	var p Pauses
	at := 0
	for _, w := range reference {
		n := len(plainWords([]string{w}))
		at += n
		if n == 0 || at >= len(t.Words) {
			continue
		}
		class := 0
		if k := MarkOf(w); k >= 0 {
			class = min(k, 1) + 1
		}
		pause := t.Words[at].Start - t.Words[at-1].End
		i, _ := slices.BinarySearchFunc(pauseLimits[:], pause, func(limit, p time.Duration) int {
			if limit <= p {
				return -1
			}
			return 1
		})
		p[class][i]++
	}
	return p
}

func (p Pauses) plus(o Pauses) Pauses {
	for c := range p {
		for i := range p[c] {
			p[c][i] += o[c][i]
		}
	}
	return p
}

// PunctuationRow is the result for one set of recordings.
type PunctuationRow struct {
	Set    string
	Words  int       // of the reference
	Given  Condition // on the reference's words
	Heard  Condition // on the recognised words
	Pauses Pauses
}

func (r PunctuationRow) plus(o PunctuationRow) PunctuationRow {
	r.Words, r.Given, r.Heard, r.Pauses = r.Words+o.Words, r.Given.plus(o.Given), r.Heard.plus(o.Heard),
		r.Pauses.plus(o.Pauses)
	return r
}

// PunctuationTable has one row per set of recordings.
type PunctuationTable []PunctuationRow

func (t PunctuationTable) add(row PunctuationRow) PunctuationTable {
	i, found := slices.BinarySearchFunc(t, row.Set, func(r PunctuationRow, set string) int {
		return strings.Compare(r.Set, set)
	})
	if !found {
		return slices.Insert(t, i, row)
	}
	t[i] = t[i].plus(row)
	return t
}

// Total returns the sum of all rows.
func (t PunctuationTable) Total() PunctuationRow {
	total := PunctuationRow{Set: "all"}
	for _, r := range t {
		total = total.plus(r)
	}
	return total
}

// best returns the threshold with the highest F1 of all marks. It is chosen on the test data, so it is the best case of
// the baseline.
func best(c Condition) int {
	top := 0
	for i, s := range c.ByPause {
		if s.Micro().F1() > c.ByPause[top].Micro().F1() {
			top = i
		}
	}
	return top
}

// String formats the table with its total: F1 in percent for each mark and for all together, of the restored
// punctuation (inner: without the ends of recordings) and of the baseline with each row's best threshold.
func (t PunctuationTable) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "set\twords\tof\tby\t.\t,\t?\tall\t")
	for _, r := range append(t[:len(t):len(t)], t.Total()) {
		printCondition(w, r, "reference", r.Given)
		printCondition(w, r, "recogniser", r.Heard)
	}
	w.Flush()
	b.WriteString(t.pauses())
	return b.String()
}

func printCondition(w *tabwriter.Writer, r PunctuationRow, of string, c Condition) {
	top := best(c)
	baseline := fmt.Sprintf("pauses from %d ms", threshold(top).Milliseconds())
	for _, line := range []struct {
		by    string
		score PunctuationScore
	}{{"model", c.Restored}, {"model, inner", c.Inner}, {baseline, c.ByPause[top]}} {
		s := line.score
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t\n", r.Set, r.Words, of, line.by,
			percent(s[Period]), percent(s[Comma]), percent(s[Question]), percent(s.Micro()))
	}
}

// percent formats F1, or a dash if neither side has marks.
func percent(m Marks) string {
	if m == (Marks{}) {
		return "–"
	}
	return fmt.Sprintf("%.1f", 100*m.F1())
}

// pauses formats the numbers of pauses by length.
func (t PunctuationTable) pauses() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "\nset\tpauses at\t")
	for _, limit := range pauseLimits {
		fmt.Fprintf(w, "<%d ms\t", limit.Milliseconds())
	}
	fmt.Fprintln(w, "longer\t")
	for _, r := range append(t[:len(t):len(t)], t.Total()) {
		for c, name := range []string{"nothing", "comma", "end"} {
			fmt.Fprintf(w, "%s\t%s\t", r.Set, name)
			for _, n := range r.Pauses[c] {
				fmt.Fprintf(w, "%d\t", n)
			}
			fmt.Fprintln(w)
		}
	}
	w.Flush()
	return b.String()
}
