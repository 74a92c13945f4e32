package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// lower returns a report with the lower of two figures each.
func (r report) lower(o report) report {
	r.Took, r.Work, r.Delete = min(r.Took, o.Took), min(r.Work, o.Work), min(r.Delete, o.Delete)
	r.Bytes, r.Memory = min(r.Bytes, o.Bytes), min(r.Memory, o.Memory)
	for i, k := range o.Kinds {
		mine := &r.Kinds[i]
		mine.Newest, mine.Count = mine.Newest.lower(k.Newest), mine.Count.lower(k.Count)
	}
	return r
}

func (s spread) lower(o spread) spread { return spread{min(s.Median, o.Median), min(s.P95, o.P95)} }

// differences returns an error for each question to which an engine gives another answer than the first one.
func differences(all []report) (errs []error) {
	for _, r := range all[1:] {
		for i, k := range r.Kinds {
			for n, got := range k.Answers {
				want := all[0].Kinds[i].Answers[n]
				if got.Count != want.Count || !slices.Equal(got.Newest, want.Newest) {
					errs = append(errs, fmt.Errorf("%s, question %d: %s finds %d calls, %s %d; the newest are %v and %v",
						k.Kind, n, r.Engine, got.Count, all[0].Engine, want.Count, head(got.Newest), head(want.Newest)))
				}
			}
		}
	}
	return errs
}

func head(numbers []int) []int { return numbers[:min(5, len(numbers))] }

// printTables prints a table of building and one of questions, with ratios to the first engine.
func printTables(w io.Writer, all []report, calls int) {
	names := make([]string, len(all))
	for i, r := range all {
		names[i] = r.Engine
		fmt.Fprintf(w, "%s: %s\n", r.Engine, r.Version)
	}
	fmt.Fprintln(w)
	heading(w, "| |", names)
	row(w, "indexed calls per second", all, func(r report) (string, float64) {
		rate := float64(calls) / r.Took.Seconds()
		return fmt.Sprintf("%.0f", rate), rate
	})
	row(w, "processor time of indexing a call", all, func(r report) (string, float64) {
		return milliseconds(r.Work / time.Duration(calls)), r.Work.Seconds()
	})
	row(w, "on disk, per call", all, func(r report) (string, float64) {
		return fmt.Sprintf("%.1f kB", float64(r.Bytes)/float64(calls)/1000), float64(r.Bytes)
	})
	row(w, "delete a call", all, func(r report) (string, float64) { return milliseconds(r.Delete), r.Delete.Seconds() })
	row(w, "anonymous memory after the questions", all, func(r report) (string, float64) {
		return fmt.Sprintf("%d MB", r.Memory/1_000_000), float64(r.Memory)
	})
	fmt.Fprintln(w)
	heading(w, "| newest 100: median, 95 % |", names)
	for i, k := range all[0].Kinds {
		row(w, k.Kind, all, func(r report) (string, float64) { return r.Kinds[i].Newest.cell() })
	}
	fmt.Fprintln(w)
	heading(w, "| total: median, 95 % |", names)
	for i, k := range all[0].Kinds {
		row(w, k.Kind+", "+k.counts(), all, func(r report) (string, float64) { return r.Kinds[i].Count.cell() })
	}
}

func heading(w io.Writer, first string, names []string) {
	fmt.Fprintf(w, "%s %s |\n|---|%s\n", first, strings.Join(names, " | "), strings.Repeat("---|", len(names)))
}

// row prints a figure of each engine with its ratio to that of the first.
func row(w io.Writer, name string, all []report, figure func(report) (text string, size float64)) {
	fmt.Fprintf(w, "| %s |", name)
	_, first := figure(all[0])
	for i, r := range all {
		text, size := figure(r)
		if i > 0 && first > 0 {
			text += fmt.Sprintf(" (×%s)", ratio(size/first))
		}
		fmt.Fprintf(w, " %s |", text)
	}
	fmt.Fprintln(w)
}

func ratio(x float64) string {
	if x < 10 {
		return fmt.Sprintf("%.2g", x)
	}
	return fmt.Sprintf("%.0f", x)
}

func (s spread) cell() (string, float64) {
	return fmt.Sprintf("%s, %s", milliseconds(s.Median), milliseconds(s.P95)), s.Median.Seconds()
}

// counts returns the median of the totals of a kind.
func (k kindReport) counts() string {
	var totals []int
	for _, a := range k.Answers {
		totals = append(totals, a.Count)
	}
	slices.Sort(totals)
	return fmt.Sprintf("about %d", totals[len(totals)/2])
}

func milliseconds(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case ms < 1:
		return fmt.Sprintf("%.2f ms", ms)
	case ms < 10:
		return fmt.Sprintf("%.1f ms", ms)
	}
	return fmt.Sprintf("%.0f ms", ms)
}
