package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"parley/internal/call/wire"
	"parley/internal/query"
	"parley/internal/terminal/client"
)

// exploreCommand shows the calls that meet a condition, with counts.
type exploreCommand struct {
	Where string `arg:"" optional:"" help:"Condition of the query language; default: all calls."`
	listing
	Words    string   `help:"Words as in parley search; only searchable calls match. Calls must match these and the condition." placeholder:"WORDS"`
	Facet    []string `help:"Count the values of this field, such as metadata:team; repeat the flag for several." placeholder:"FIELD" sep:"none"`
	Interval string   `help:"Count calls by hour, day, week or month; default: the shortest that gives at most 100 lines." enum:",hour,day,week,month" default:"" placeholder:"INTERVAL"`
	Zone     string   `help:"Time zone of days and intervals; default: ${default}." default:"UTC" placeholder:"ZONE"`
	From     date     `help:"Only calls created on this day or later." placeholder:"DATE"`
	Until    date     `help:"Only calls created on this day or earlier." placeholder:"DATE"`
	Limit    int      `help:"Number of calls to show; default: ${default}." default:"25" placeholder:"N"`
	Before   string   `help:"Show calls created before this one." placeholder:"MEDIA_ID"`
}

// Run reports mistakes before it asks the server.
func (c *exploreCommand) Run(ctx context.Context) error {
	if err := checkCondition(c.Where); err != nil {
		return err
	}
	for _, name := range c.Facet {
		if err := checkField(name); err != nil {
			return err
		}
	}
	e := client.Exploration{Where: c.Where, Words: c.Words, From: string(c.From), Until: string(c.Until), Zone: c.Zone,
		Facets: c.Facet, Interval: c.Interval, Limit: c.Limit, Before: c.Before}
	body, err := c.ask(ctx, func(cl *client.Client, ctx context.Context) ([]byte, error) { return cl.Explore(ctx, e) })
	return answer(c.printing, body, err, printExploration)
}

// checkField refuses what no server would accept as the name of a field.
func checkField(name string) error {
	if _, err := query.ReadField(name).Check(nil); err != nil {
		return usagef("invalid field:\n%w", err)
	}
	return nil
}

// printExploration prints the calls, the facets and the histogram.
func printExploration(e wire.Exploration) error {
	least := ""
	if e.TotalIsLowerBound {
		least = "at least "
	}
	fmt.Fprintf(os.Stderr, "%s%d of %s, in %d ms\n", least, *e.TotalResults, many(e.Calls, "call"), e.QueryTimeMillis)
	warn(e.Warnings)
	rows := rowsOf(*e.Rows, exploredRow, "MEDIA", "CREATED", "LENGTH", "TITLE", "CATEGORIES", "FIRST HIT")
	if err := table(rows); err != nil {
		return err
	}
	if e.Next != "" {
		fmt.Fprintf(os.Stderr, "further calls: --before %s\n", e.Next)
	}
	for _, f := range *e.Facets {
		fmt.Println()
		if err := table(facetRows(f)); err != nil {
			return err
		}
	}
	fmt.Println()
	return table(histogramRows(*e.Histogram))
}

func exploredRow(r wire.ExploredRow) []any {
	hit := ""
	if r.Hit != nil {
		hit = fmt.Sprintf("%s %s: %s", minutes(r.Hit.FieldValues.StartMs), r.Hit.FieldValues.Speaker,
			short(r.Hit.FieldValues.Text))
	}
	return []any{r.MediaID, moment(r.DateCreated.Time), minutes(r.Length), short(r.Title),
		short(strings.Join(r.Categories, ", ")), hit}
}

func facetRows(f wire.Facet) [][]any {
	rows := rowsOf(f.Values, func(v wire.FacetValue) []any { return []any{valueText(v), v.Calls} },
		strings.ToUpper(short(f.Field)), "CALLS")
	if f.OtherValues > 0 {
		rows = append(rows, []any{many(f.OtherValues, "other value"), f.OtherCalls})
	}
	if f.WithoutValue > 0 {
		rows = append(rows, []any{"without a value", f.WithoutValue})
	}
	return rows
}

// valueText formats a value or a range.
func valueText(v wire.FacetValue) string {
	switch {
	case v.Value != nil:
		return short(fmt.Sprint(v.Value))
	case v.From == nil && v.To == nil:
		return "all"
	case v.From == nil:
		return fmt.Sprintf("below %v", *v.To)
	case v.To == nil:
		return fmt.Sprintf("%v or more", *v.From)
	}
	return fmt.Sprintf("%v to below %v", *v.From, *v.To)
}

// histogramRows lists the intervals with calls, in the time zone that was asked for.
func histogramRows(h wire.Histogram) [][]any {
	zone, err := time.LoadLocation(h.Zone)
	if err != nil {
		zone = time.UTC
	}
	layout := time.DateOnly
	if h.Interval == "hour" {
		layout = "2006-01-02 15:04 -07:00"
	}
	rows := [][]any{{strings.ToUpper(h.Interval), "CALLS"}}
	for _, b := range h.Buckets {
		if b.Calls > 0 {
			rows = append(rows, []any{b.From.In(zone).Format(layout), b.Calls})
		}
	}
	return rows
}

// schemaCommand lists what conditions can refer to.
type schemaCommand struct {
	Fields fieldsCommand `cmd:"" help:"List the fields of calls, with types and examples."`
	Words  wordsCommand  `cmd:"" help:"List the words that occur in the most calls."`
	Values valuesCommand `cmd:"" help:"List the most frequent values of a field."`
}

type fieldsCommand struct{ listing }

func (c *fieldsCommand) Run(ctx context.Context) error {
	return printList(ctx, c.listing, (*client.Client).Fields, func(s wire.Schema) [][]any {
		return rowsOf(s.Fields, func(f wire.SchemaField) []any {
			example := ""
			if f.Example != nil {
				example = short(fmt.Sprint(f.Example))
			}
			return []any{f.Field, f.Type, example}
		}, "FIELD", "TYPE", "EXAMPLE")
	})
}

// completions has the flags of commands that list how something can be completed.
type completions struct {
	Prefix string `arg:"" optional:"" help:"How it begins; default: any."`
	Limit  int    `help:"Maximum number to list, up to 100; default: ${default}." default:"20" placeholder:"N"`
	listing
}

type wordsCommand struct{ completions }

// Run lists words with the number of calls that have them.
func (c *wordsCommand) Run(ctx context.Context) error {
	ask := func(cl *client.Client, ctx context.Context) ([]byte, error) { return cl.Words(ctx, c.Prefix, c.Limit) }
	return printList(ctx, c.listing, ask, func(w wire.Words) [][]any {
		warn(w.Warnings)
		return rowsOf(w.Words, func(w wire.WordCount) []any { return []any{w.Word, w.Calls} }, "WORD", "CALLS")
	})
}

type valuesCommand struct {
	Field string `arg:"" help:"A field, such as metadata:team."`
	completions
}

// Run lists values with the number of calls that have them.
func (c *valuesCommand) Run(ctx context.Context) error {
	if err := checkField(c.Field); err != nil {
		return err
	}
	ask := func(cl *client.Client, ctx context.Context) ([]byte, error) {
		return cl.Values(ctx, c.Field, c.Prefix, c.Limit)
	}
	return printList(ctx, c.listing, ask, func(v wire.FieldValues) [][]any {
		warn(v.Warnings)
		return facetRows(v.Facet)
	})
}

// distributionsCommand shows how metrics are distributed.
type distributionsCommand struct {
	Where string `arg:"" optional:"" help:"Condition of the query language; default: all calls."`
	listing
}

// Run shows some of the quantiles.
func (c *distributionsCommand) Run(ctx context.Context) error {
	if err := checkCondition(c.Where); err != nil {
		return err
	}
	ask := func(cl *client.Client, ctx context.Context) ([]byte, error) { return cl.Distributions(ctx, c.Where) }
	return printList(ctx, c.listing, ask, func(d wire.Distributions) [][]any {
		warn(d.Warnings)
		return rowsOf(d.Distributions, func(d wire.Distribution) []any {
			row := []any{d.Field, d.Calls}
			for _, p := range shownPercentiles {
				row = append(row, fmt.Sprint(d.Quantiles[p]))
			}
			return row
		}, "FIELD", "CALLS", "LEAST", "10 %", "25 %", "MEDIAN", "75 %", "90 %", "GREATEST")
	})
}

// shownPercentiles are the percentiles of the table.
var shownPercentiles = []int{0, 10, 25, 50, 75, 90, 100}
