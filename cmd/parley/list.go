package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"parley/internal/call/wire"
	"parley/internal/terminal/client"
	"parley/internal/words/media"
)

// filters has the flags that select the recordings to list.
type filters struct {
	Status     string   `help:"Only recordings with this status: accepted, scheduled, running, finished, failed or rejected." enum:",accepted,scheduled,running,finished,failed,rejected" default:"" placeholder:"STATUS"`
	ExternalID *string  `name:"external-id" help:"Only recordings with this externalId in their metadata." placeholder:"ID"`
	Field      []string `help:"Only recordings whose metadata has this value in a search field; see parley search-fields." placeholder:"NAME:VALUE" sep:"none"`
	From       date     `help:"Only recordings created on this day or later (UTC), such as 2026-11-20, or since this date and time." placeholder:"DATE"`
	Until      date     `help:"Only recordings created on this day or earlier (UTC)." placeholder:"DATE"`
	Oldest     bool     `help:"List the oldest first."`
	Limit      int      `help:"Maximum number to list; default: ${default}." default:"100" placeholder:"N"`
}

func (f filters) filter(query string) (client.Filter, error) {
	if err := positive("--limit", f.Limit); err != nil {
		return client.Filter{}, err
	}
	if f.ExternalID != nil && *f.ExternalID == "" {
		return client.Filter{}, usagef("--external-id is empty; give an id, or leave the flag out")
	}
	if f.From != "" && f.Until != "" {
		from, _, _ := wire.ParseDate(string(f.From))
		if _, until, _ := wire.ParseDate(string(f.Until)); until.Before(from) {
			return client.Filter{}, usagef("--from %s is after --until %s", f.From, f.Until)
		}
	}
	for _, field := range f.Field {
		if !strings.ContainsAny(field, ":;") {
			return client.Filter{}, usagef(
				"--field %q has no value; write NAME:VALUE, such as extended.campaign:spring", field)
		}
	}
	var externalID string
	if f.ExternalID != nil {
		externalID = *f.ExternalID
	}
	return client.Filter{
		Query: query, Status: f.Status, ExternalID: externalID, Extended: f.Field,
		OnOrAfterDate: string(f.From), OnOrBeforeDate: string(f.Until), Oldest: f.Oldest,
	}, nil
}

// date is a day or an instant in the format of the API.
type date string

// UnmarshalText implements encoding.TextUnmarshaler for the flag parser.
func (d *date) UnmarshalText(text []byte) error {
	if _, _, ok := wire.ParseDate(string(text)); !ok {
		return fmt.Errorf("%q is not a date; write a day such as 2026-11-20, or an instant such as "+
			"2026-11-20T07:15:02Z",
			text)
	}
	*d = date(text)
	return nil
}

// listCommand lists recordings.
type listCommand struct {
	filters
	listing
}

// Run lists the newest recordings first.
func (c *listCommand) Run(ctx context.Context) error {
	return list(ctx, c.listing, c.filters, "")
}

// searchCommand searches recordings for words.
type searchCommand struct {
	Words []string `arg:"" help:"Words that must all occur. Quotes inside quotes ('\"very slow\"') make a phrase; title:, description: or transcript: before a word searches that field alone; OR finds either word; a leading - excludes a word. Write -- before words that begin with a hyphen."`
	filters
	listing
}

// Run lists the matches, newest first.
func (c *searchCommand) Run(ctx context.Context) error {
	return list(ctx, c.listing, c.filters, strings.Join(c.Words, " "))
}

func list(ctx context.Context, from listing, of filters, query string) error {
	filter, err := of.filter(query)
	if err != nil {
		return err
	}
	cl, err := from.client()
	if err != nil {
		return err
	}
	items, warnings, err := cl.List(ctx, filter, of.Limit)
	if err != nil {
		return err
	}
	for _, w := range warnings {
		fmt.Fprintln(os.Stderr, "parley:", w)
	}
	if from.JSON {
		return printIndented(struct {
			Media []json.RawMessage `json:"media"`
		}{append([]json.RawMessage{}, items...)})
	}
	rows := [][]any{{"MEDIA", "STATUS", "CREATED", "LENGTH", "TITLE", "EXTERNAL ID"}}
	for _, item := range items {
		row, err := itemRow(item)
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	if len(items) == 0 {
		fmt.Fprintln(os.Stderr, "no recordings found")
	}
	if len(items) == of.Limit {
		fmt.Fprintf(os.Stderr, "showing only the first %d; give a higher --limit to see more\n", of.Limit)
	}
	return table(rows)
}

func itemRow(body []byte) ([]any, error) {
	s, err := read[wire.Summary](body)
	if err != nil {
		return nil, err
	}
	length := ""
	if s.Length != nil {
		length = minutes(*s.Length)
	}
	known := media.StoredMetadata(s.Metadata)
	created := moment(s.DateCreated.Time)
	return []any{s.MediaID, s.Status, created, length, short(known.Title()), short(known.ExternalID())}, nil
}

// widest is the maximum number of characters of a text in a cell.
const widest = 60

// short shortens a text to fit a cell.
func short(text string) string {
	if runes := []rune(text); len(runes) > widest {
		return string(runes[:widest-1]) + "…"
	}
	return text
}

// getCommand shows recordings.
type getCommand struct {
	IDs []string `arg:"" name:"media-id" help:"Ids of recordings, as submit and list print them."`
	connection
	JSON bool `help:"Print JSON, for machines: one line per recording." name:"json"`
}

// Run shows each recording: its properties, its transcript and its findings.
func (c *getCommand) Run(ctx context.Context) error {
	cl, err := c.client()
	if err != nil {
		return err
	}
	return every(ctx, c.IDs, c.JSON, func(id string) error {
		body, err := cl.Media(ctx, id)
		if err != nil || c.JSON {
			return printBody(body, err)
		}
		root, err := parseJSON(body)
		if err != nil {
			return fmt.Errorf("read the answer of the server: %w", err)
		}
		var text []byte
		if root.Get("transcript") != nil {
			if text, err = cl.Transcript(ctx, id, "text"); err != nil {
				return err
			}
		}
		if err := writeHead(os.Stdout, root); err != nil {
			return err
		}
		if err := printText(text); err != nil {
			return err
		}
		return writeSections(os.Stdout, root)
	})
}

// printBody prints an answer unchanged.
func printBody(body []byte, err error) error {
	if err != nil {
		return err
	}
	return printLine(body)
}

// progressCommand shows the progress of processing.
type progressCommand struct {
	IDs []string `arg:"" name:"media-id" help:"Ids of recordings, as submit and list print them."`
	connection
	Wait bool `help:"Show the progress until all have finished or failed."`
	JSON bool `help:"Print JSON, for machines: one line per recording." name:"json"`
}

// Run shows the steps of each recording.
func (c *progressCommand) Run(ctx context.Context) error {
	cl, err := c.client()
	if err != nil {
		return err
	}
	if c.Wait {
		if err := greet(ctx, cl); err != nil {
			return err
		}
	}
	return everyTable(ctx, c.IDs, c.JSON, func(id string) ([]byte, error) {
		if c.Wait {
			if _, err := follow(ctx, cl, id, id); err != nil {
				return nil, err
			}
		}
		return cl.RawProgress(ctx, id)
	}, progressRows, "MEDIA", "STATUS", "STEP", "STATE", "DONE", "STARTED", "FINISHED")
}

func progressRows(p wire.ProgressResource) [][]any {
	return rowsOf(p.Progress.Tasks, func(t wire.Task) []any {
		return []any{p.MediaID, p.Status, t.Display, t.Status, fmt.Sprintf("%d %%", t.Percent), moment(t.StartedAt.Time),
			moment(t.FinishedAt.Time)}
	})
}

// deleteCommand deletes recordings.
type deleteCommand struct {
	IDs []string `arg:"" name:"media-id" help:"Ids of recordings, as submit and list print them."`
	removal
}

// Run deletes the given recordings; the exit code is 1 if one could not be deleted.
func (c *deleteCommand) Run(ctx context.Context) error {
	return c.all(ctx, many(len(c.IDs), "recording")+" with all results", c.IDs,
		func(cl *client.Client, id string) error { return cl.Delete(ctx, id) })
}
