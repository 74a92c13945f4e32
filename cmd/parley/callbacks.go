package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"parley/internal/call/delivery"
	"parley/internal/call/wire"
	"parley/internal/terminal/client"
)

// callbacksCommand shows the deliveries of a server, and repeats them.
type callbacksCommand struct {
	Failing callbacksFailing `cmd:"" help:"List the receivers that do not accept deliveries."`
	List    callbacksList    `cmd:"" help:"List the deliveries of recordings."`
	Retry   callbacksRetry   `cmd:"" help:"Repeat failed deliveries, or those with the given ids."`
	Secret  callbacksSecret  `cmd:"" help:"Create, list and delete the secrets that sign deliveries."`
}

type callbacksFailing struct{ listing }

// Run lists the failing endpoints, starting with the one that has failed for longest.
func (c *callbacksFailing) Run(ctx context.Context) error {
	return printList(ctx, c.listing, (*client.Client).FailingEndpoints, func(list wire.Endpoints) [][]any {
		return rowsOf(list.Endpoints, func(e wire.Endpoint) []any {
			return []any{day(e.FailingSince.Time), e.Failures, day(e.LastTry.Date.Time), outcome(e.LastTry), e.Endpoint}
		}, "SINCE", "TRIES", "LAST TRY", "ANSWER", "RECEIVER")
	})
}

// outcome describes the outcome of a try in one line.
func outcome(t wire.CallbackTry) string {
	if t.Status == 0 {
		return t.Error
	}
	return strconv.Itoa(t.Status)
}

type callbacksList struct {
	IDs []string `arg:"" name:"media-id" help:"Ids of recordings, as submit and list print them."`
	connection
	JSON bool `help:"Print JSON, for machines: one line per recording."`
}

// Run lists the deliveries of each recording.
func (c *callbacksList) Run(ctx context.Context) error {
	cl, err := c.client()
	if err != nil {
		return err
	}
	return everyTable(ctx, c.IDs, c.JSON, func(id string) ([]byte, error) { return cl.Deliveries(ctx, id) },
		func(list wire.Callbacks) [][]any { return rowsOf(list.Callbacks, rowOf) },
		"CALLBACK", "TYPE", "STATUS", "TRIES", "LAST", "NEXT", "RECEIVER")
}

func rowOf(d wire.Callback) []any {
	last := ""
	if n := len(d.Tries); n > 0 {
		last = outcome(d.Tries[n-1])
	}
	return []any{d.CallbackID, d.Type, d.Status, len(d.Tries), last, moment(d.NextAttempt.Time),
		d.Method + " " + d.Endpoint}
}

type callbacksRetry struct {
	ID        string   `arg:"" name:"media-id" help:"Id of the recording."`
	Callbacks []string `arg:"" name:"callback-id" optional:"" help:"Ids of deliveries, as callbacks list prints them, whatever their status; without any, all failed deliveries."`
	connection
}

// Run restarts the schedules; the exit code is 1 if one could not be restarted.
func (c *callbacksRetry) Run(ctx context.Context) error {
	cl, err := c.client()
	if err != nil {
		return err
	}
	ids, err := c.chosen(ctx, cl)
	if err != nil {
		return err
	}
	done, err := each(ctx, ids, func(id string) error {
		_, err := cl.DeliverAgain(ctx, c.ID, id)
		if err == nil {
			fmt.Printf("%s  will be delivered again\n", id)
		}
		return err
	})
	if err == nil && len(done) < len(ids) {
		return errFailed
	}
	return err
}

// chosen returns the ids of the given deliveries, or of those that failed.
func (c *callbacksRetry) chosen(ctx context.Context, cl *client.Client) (ids []string, err error) {
	if len(c.Callbacks) > 0 {
		return c.Callbacks, nil
	}
	body, err := cl.Deliveries(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	list, err := read[wire.Callbacks](body)
	if err != nil {
		return nil, err
	}
	for _, d := range list.Callbacks {
		if d.Status == delivery.Failed {
			ids = append(ids, d.CallbackID)
		}
	}
	if len(ids) == 0 {
		return nil, errors.New("no delivery of this recording has failed permanently; give the ids of deliveries " +
			"to repeat them anyway")
	}
	return ids, nil
}

// callbacksSecret manages the secrets of an account.
type callbacksSecret struct {
	Create secretCreate `cmd:"" help:"Create another secret and print it."`
	List   secretList   `cmd:"" help:"List the secrets, newest first."`
	Delete secretDelete `cmd:"" help:"Delete secrets that no receiver uses any more."`
}

type secretCreate struct{ connection }

// Run prints the id and the secret.
func (c *secretCreate) Run(ctx context.Context) error {
	body, err := c.ask(ctx, (*client.Client).CreateCallbackSecret)
	return answer(printing{}, body, err, func(made wire.CallbackSecret) error {
		fmt.Printf("%s  %s\n", made.SecretID, made.Secret)
		return nil
	})
}

type secretList struct{ listing }

// Run lists the secrets without their values.
func (c *secretList) Run(ctx context.Context) error {
	return printList(ctx, c.listing, (*client.Client).CallbackSecrets, func(list wire.CallbackSecrets) [][]any {
		row := func(s wire.CallbackSecret) []any { return []any{s.SecretID, day(s.Created.Time)} }
		return rowsOf(list.Secrets, row, "SECRET", "CREATED")
	})
}

type secretDelete struct {
	IDs []string `arg:"" name:"secret-id" help:"Ids of secrets, as create and list print them."`
	removal
}

func (c *secretDelete) Run(ctx context.Context) error {
	return c.all(ctx, many(len(c.IDs), "secret"), c.IDs, func(cl *client.Client, id string) error {
		return cl.DeleteCallbackSecret(ctx, id)
	})
}
