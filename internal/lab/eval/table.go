package eval

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// Table has one row per set of recordings.
type Table []Row

// Total returns the sum of all rows.
func (t Table) Total() Row {
	total := Row{Set: "all"}
	for i := range t {
		total.join(&t[i])
	}
	return total
}

// String formats the table with its total: words, errors, word error rate in total and in the first and second halves
// of the recordings, median error of word starts, length, and recognition time divided by length. The channels of a
// call follow it.
func (t Table) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "set\twords\tsub\tins\tdel\tWER %\t1st half\t2nd half\tstart ms\tlength\ttime/length\t")
	for _, r := range append(t[:len(t):len(t)], t.Total()) {
		r.print(w)
		for _, c := range r.Channels {
			c.print(w)
		}
	}
	w.Flush()
	return b.String()
}

func (r *Row) print(w io.Writer) {
	start, length, pace := "–", "", ""
	if len(r.Starts) > 0 {
		start = fmt.Sprint(Median(r.Starts).Milliseconds())
	}
	if r.Length > 0 {
		length, pace = r.Length.Round(time.Second/10).String(), fmt.Sprintf("%.2f", r.Took.Seconds()/r.Length.Seconds())
	}
	s := r.Score()
	fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%.1f\t%.1f\t%.1f\t%s\t%s\t%s\t\n", r.Set, s.Words, s.Substitutions,
		s.Insertions, s.Deletions,
		100*s.Rate(), 100*r.Halves[0].Rate(), 100*r.Halves[1].Rate(), start, length, pace)
}
