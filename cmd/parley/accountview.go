package main

import (
	"context"
	"fmt"
	"time"

	"parley/internal/call/wire"
	"parley/internal/terminal/client"
	"parley/internal/words/audit"
)

// keysCommand lists the access tokens of an account as its server shows them.
type keysCommand struct{ listing }

// Run lists the tokens without their secrets.
func (c *keysCommand) Run(ctx context.Context) error {
	return printList(ctx, c.listing, (*client.Client).Keys, func(list wire.Keys) [][]any { return keyRows(list.Keys) })
}

// usageCommand shows an account's usage.
type usageCommand struct {
	Month string `arg:"" optional:"" help:"Show the days of this month, such as 2026-11; default: all months." placeholder:"YYYY-MM"`
	listing
}

// usage has the fields of wire.Usage that the table needs.
type usage struct {
	Months []usageMonth `json:"months"`
}

// usageMonth is a month, or a day of it.
type usageMonth struct {
	Year           int     `json:"year"`
	Month          int     `json:"month"`
	MonthDay       any     `json:"monthDay"`
	ProductName    string  `json:"productName"`
	BilledQuantity float64 `json:"billedQuantity"`
	BillingUnit    string  `json:"billingUnit"`
}

// Run lists months, or the days of one month.
func (c *usageCommand) Run(ctx context.Context) error {
	month, err := time.Parse("2006-01", c.Month)
	if err != nil && c.Month != "" {
		return usagef("invalid month %q; write it as 2026-11", c.Month)
	}
	ask := (*client.Client).Usage
	if c.Month != "" {
		ask = func(cl *client.Client, ctx context.Context) ([]byte, error) {
			return cl.DailyUsage(ctx, month.Year(), int(month.Month()))
		}
	}
	return printList(ctx, c.listing, ask, func(u usage) [][]any {
		return rowsOf(u.Months, usageMonth.row, "WHEN", "WHAT", "QUANTITY", "UNIT")
	})
}

func (m usageMonth) row() []any {
	when := fmt.Sprintf("%d-%02d", m.Year, m.Month)
	if m.MonthDay != nil {
		when += fmt.Sprintf("-%02s", fmt.Sprint(m.MonthDay))
	}
	return []any{when, m.ProductName, m.BilledQuantity, m.BillingUnit}
}

// auditCommand shows the audit log.
type auditCommand struct {
	Limit int `help:"Maximum number of events, newest first, up to 1000; default: ${default}." default:"100" placeholder:"N"`
	listing
}

// mostEvents is how many events the server lists per request.
const mostEvents = 1000

// Run lists the newest events first.
func (c *auditCommand) Run(ctx context.Context) error {
	if c.Limit < 1 || c.Limit > mostEvents {
		return usagef("--limit %d; give a number from 1 to %d", c.Limit, mostEvents)
	}
	cl, err := c.client()
	if err != nil {
		return err
	}
	body, err := cl.Audit(ctx, c.Limit)
	var tokens map[string]string
	if err == nil && !c.JSON {
		tokens = tokenNames(ctx, cl)
	}
	return answer(c.printing, body, err, func(log wire.Audit) error {
		return table(rowsOf(log.Events, func(e wire.Event) []any {
			at := e.Time.Local().Format("2006-01-02 15:04:05")
			return []any{at, actor(e, tokens), e.RemoteAddress, e.Action, e.Object, e.MediaID, e.Name, e.Outcome}
		}, "TIME", "BY", "FROM", "ACTION", "WHAT", "MEDIA", "NAME", "OUTCOME"))
	})
}

// tokenNames returns the descriptions of the account's tokens, with the last characters that parley keys shows, by id.
// It returns none if the caller may not list tokens.
func tokenNames(ctx context.Context, cl *client.Client) map[string]string {
	names := map[string]string{}
	body, err := cl.Keys(ctx)
	if err != nil {
		return names
	}
	list, _ := read[wire.Keys](body)
	for _, k := range list.Keys {
		if k.Description != "" {
			names[k.ID] = fmt.Sprintf("%s (…%s)", short(k.Description), k.LastSix)
		}
	}
	return names
}

// actor returns who caused an event: the name of the token, or its id if it has no name or was deleted.
func actor(e wire.Event, tokens map[string]string) string {
	name := e.TokenID
	if known := tokens[e.TokenID]; known != "" {
		name = known
	}
	switch e.By {
	case audit.ByToken:
		return name
	case audit.BySigned:
		return "signed URL"
	case audit.ByCommand:
		return "command line"
	case audit.ByExpiry:
		return "time to live"
	}
	return string(e.By)
}
