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

type callbacksFailing struct {
	connection
	printing
}

// Run lists the failing endpoints, starting with the one that has failed for longest.
func (c *callbacksFailing) Run(ctx context.Context) error {
	cl, err := c.client()
	if err != nil {
		return err
	}
	body, err := cl.FailingEndpoints(ctx)
	return answer(c.printing, body, err, func(list wire.Endpoints) [][]any {
		rows := [][]any{{"SINCE", "TRIES", "LAST TRY", "ANSWER", "RECEIVER"}}
		for _, e := range list.Endpoints {
			rows = append(rows, []any{day(e.FailingSince.Time), e.Failures, day(e.LastTry.Date.Time),
				outcome(e.LastTry), e.Endpoint})
		}
		return rows
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
	rows := [][]any{{"CALLBACK", "TYPE", "STATUS", "TRIES", "LAST", "NEXT", "RECEIVER"}}
	err = every(ctx, c.IDs, c.JSON, func(id string) error {
		body, err := cl.Deliveries(ctx, id)
		if err != nil || c.JSON {
			return printBody(body, err)
		}
		deliveries, err := readCallbacks(body)
		for _, d := range deliveries {
			rows = append(rows, rowOf(d))
		}
		return err
	})
	if c.JSON || err != nil && len(rows) == 1 {
		return err
	}
	return errors.Join(table(rows), err)
}

func readCallbacks(body []byte) ([]wire.Callback, error) {
	list, err := read[wire.Callbacks](body)
	return list.Callbacks, err
}

func rowOf(d wire.Callback) []any {
	last, next := "", ""
	if n := len(d.Tries); n > 0 {
		last = outcome(d.Tries[n-1])
	}
	if !d.NextAttempt.IsZero() {
		next = day(d.NextAttempt.Time)
	}
	return []any{d.CallbackID, d.Type, d.Status, len(d.Tries), last, next, d.Method + " " + d.Endpoint}
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
	all, err := readCallbacks(body)
	if err != nil {
		return nil, err
	}
	for _, d := range all {
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
	cl, err := c.client()
	if err != nil {
		return err
	}
	body, err := cl.CreateCallbackSecret(ctx)
	if err != nil {
		return err
	}
	made, err := read[wire.CallbackSecret](body)
	if err != nil {
		return err
	}
	fmt.Printf("%s  %s\n", made.SecretID, made.Secret)
	return nil
}

type secretList struct {
	connection
	printing
}

// Run lists the secrets without their values.
func (c *secretList) Run(ctx context.Context) error {
	cl, err := c.client()
	if err != nil {
		return err
	}
	body, err := cl.CallbackSecrets(ctx)
	return answer(c.printing, body, err, func(list wire.CallbackSecrets) [][]any {
		rows := [][]any{{"SECRET", "CREATED"}}
		for _, s := range list.Secrets {
			rows = append(rows, []any{s.SecretID, day(s.Created.Time)})
		}
		return rows
	})
}

type secretDelete struct {
	IDs []string `arg:"" name:"secret-id" help:"Ids of secrets, as create and list print them."`
	connection
	deletion
}

// Run deletes the given secrets.
func (c *secretDelete) Run(ctx context.Context) error {
	cl, err := c.client()
	if err != nil {
		return err
	}
	question := fmt.Sprintf("Delete %s on %s?", many(len(c.IDs), "secret"), cl.Base)
	return c.each(ctx, question, c.IDs, func(id string) error { return cl.DeleteCallbackSecret(ctx, id) })
}
