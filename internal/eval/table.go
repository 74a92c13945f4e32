package eval

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"
)

// Table has one row for each set of recordings.
type Table []Row

// Total returns the sum of all rows.
func (t Table) Total() Row {
	total := Row{Set: "all"}
	for _, r := range t {
		total.Score = total.Score.Plus(r.Score)
		total.Starts = append(total.Starts, r.Starts...)
		total.Length += r.Length
		total.Took += r.Took
	}
	return total
}

// String prints the table with its total: words, errors, word error rate, median distance of word starts,
// length, and recognition time by length.
func (t Table) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "set\twords\tsub\tins\tdel\tWER %\tstart ms\tlength\ttime/length\t")
	for _, r := range append(t[:len(t):len(t)], t.Total()) {
		start := "–"
		if len(r.Starts) > 0 {
			start = fmt.Sprint(Median(r.Starts).Milliseconds())
		}
		s := r.Score
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%.1f\t%s\t%v\t%.2f\t\n", r.Set, s.Words, s.Substitutions, s.Insertions, s.Deletions,
			100*s.Rate(), start, r.Length.Round(time.Second/10), r.Took.Seconds()/max(r.Length.Seconds(), 1e-9))
	}
	w.Flush()
	return b.String()
}
