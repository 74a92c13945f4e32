package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"parley/internal/lab/bench"
)

type benchIndex struct {
	benchGenerated `set:"calls=20000"`
	Blobs          string          `help:"Empty place in S3, whose address has an endpoint with http; it contains the segments afterwards." required:"" placeholder:"URL"`
	Nodes          int             `help:"Servers that build segments; default: ${default}." default:"3" placeholder:"N"`
	Distinct       int             `help:"Calls that are generated; further ones are copies of them, which take less time; default: ${default}." default:"10000" placeholder:"N"`
	Delays         []time.Duration `help:"Delays of each request to S3, for the first answer of a server; default: ${default}." default:"0s,20ms" placeholder:"TIME"`
	Deletions      int             `help:"Calls to delete; default: ${default}." default:"1000" placeholder:"N"`
}

// mergeCalls is how many calls each of the segments has that are merged to measure a merge.
const mergeCalls = 500

// Run builds an index of generated calls by several servers and measures it.
func (c *benchIndex) Run(ctx context.Context) error {
	if err := cmp.Or(positive("--nodes", c.Nodes), positive("--distinct", c.Distinct)); err != nil {
		return err
	}
	if c.Database == "" || c.Deletions < 0 {
		return usagef("--database must name a PostgreSQL database; --deletions must not be negative")
	}
	b := bench.Shared{Bucket: c.Blobs, Distinct: c.Distinct, Nodes: c.Nodes, Delays: c.Delays, Deletions: c.Deletions,
		MergeCalls: mergeCalls}
	return measure(c.benchGenerated, "index",
		func(g bench.Generated, progress bench.Progress) (bench.SharedResult, error) {
			b.Generated = g
			return b.Run(ctx, progress)
		}, c.rows)
}

func (c *benchIndex) rows(f bench.SharedResult) [][]any {
	each := func(n int64) string { return bytesText(n / int64(c.Calls)) }
	rows := [][]any{
		{"calls", fmt.Sprintf("%d of %d words", c.Calls, c.Words)},
		{"stored", c.rate(f.Load)},
		{"in segments", fmt.Sprintf("%s after that; %d calls wait", (f.Build.Took - f.Load).Round(time.Millisecond),
			f.Waiting)},
		{"built", fmt.Sprintf("%d calls, %d times", c.Calls-f.Waiting, f.First)},
		{"segments", fmt.Sprintf("%d of %s, %s a call", f.Segments, bytesText(f.Bytes), each(f.Bytes))},
		{"files of segments", fmt.Sprintf("%d of %s; %d segments were in force at some time", f.Build.Files,
			bytesText(f.Build.Stored), f.Ever)},
		{"servers meanwhile", sharedCost(f.Build)},
	}
	for _, a := range f.Answers {
		rows = append(rows, firstAnswer(fmt.Sprintf("first answer, S3 %s away", a.Delay), a))
	}
	return append(rows,
		[]any{"calls that wait", bytesText(f.Unindexed) + " in the database"},
		[]any{"memory", fmt.Sprintf("%s live, %s a call; anonymous memory grows by %s", bytesText(f.Memory), each(f.Memory),
			bytesText(f.Anonymous))},
		[]any{fmt.Sprintf("merge of %d calls", f.Merged), sharedCost(f.Merge)},
		[]any{fmt.Sprintf("%d deletions", c.Deletions), f.Delete.Round(time.Millisecond)},
		firstAnswer("first answer after them", f.Deleted),
		[]any{"purge", sharedCost(f.Purge)},
	)
}

func firstAnswer(name string, a bench.FirstAnswer) []any {
	return []any{name, fmt.Sprintf("%s, with %s; fields of all calls after that: %s, with %s",
		a.Took.Round(time.Millisecond), traffic(a.Traffic), a.Next.Round(time.Millisecond), traffic(a.Further))}
}

func sharedCost(c bench.SharedCost) string {
	return fmt.Sprintf("%s, processor %s, %d files of %s, %s", c.Took.Round(time.Millisecond),
		c.Work.Round(time.Millisecond), c.Files, bytesText(c.Stored), traffic(c.Traffic))
}

func traffic(t bench.Traffic) string {
	return fmt.Sprintf("%s from the database, %s from S3 and %s to S3 in %d requests", bytesText(t.Database),
		bytesText(t.Read), bytesText(t.Written), t.Requests)
}
