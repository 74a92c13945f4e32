package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"parley/internal/client"
	"parley/internal/delivery"
	"parley/internal/wire"
)

// callbacksCommand shows what became of deliveries on a server, and makes them again.
type callbacksCommand struct {
	Failing callbacksFailing `cmd:"" help:"List the receivers that do not take what is sent to them."`
	List    callbacksList    `cmd:"" help:"List the deliveries of recordings."`
	Retry   callbacksRetry   `cmd:"" help:"Deliver again: what failed, or what is named."`
	Secret  callbacksSecret  `cmd:"" help:"Make, list and delete the secrets that deliveries are signed with."`
}

type callbacksFailing struct {
	connection
	JSON bool `help:"Print JSON, for machines."`
}

// Run lists the endpoints, the longest failing first.
func (c *callbacksFailing) Run(ctx context.Context) error {
	body, err := c.client().FailingEndpoints(ctx)
	if err != nil {
		return err
	}
	if c.JSON {
		_, err = os.Stdout.Write(body)
		return err
	}
	var list wire.Endpoints
	if err := json.Unmarshal(body, &list); err != nil {
		return err
	}
	rows := [][]any{{"SINCE", "TRIES", "LAST TRY", "ANSWER", "RECEIVER"}}
	for _, e := range list.Endpoints {
		rows = append(rows, []any{day(e.FailingSince.Time), e.Failures, day(e.LastTry.Date.Time), outcome(e.LastTry), e.Endpoint})
	}
	return table(rows)
}

// outcome is what came of a try, in a line.
func outcome(t wire.CallbackTry) string {
	if t.Status == 0 {
		return t.Error
	}
	return strconv.Itoa(t.Status)
}

type callbacksList struct {
	IDs []string `arg:"" name:"media-id" help:"Recordings, by the ids that submit prints."`
	connection
	JSON bool `help:"Print JSON, for machines: one line a recording."`
}

// Run lists the deliveries of one recording after the other.
func (c *callbacksList) Run(ctx context.Context) error {
	rows := [][]any{{"CALLBACK", "TYPE", "STATUS", "TRIES", "LAST", "NEXT", "RECEIVER"}}
	for _, id := range c.IDs {
		body, err := c.client().Deliveries(ctx, id)
		if err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
		if c.JSON {
			fmt.Println(strings.TrimSpace(string(body)))
			continue
		}
		deliveries, err := readCallbacks(body)
		if err != nil {
			return err
		}
		for _, d := range deliveries {
			rows = append(rows, rowOf(d))
		}
	}
	if c.JSON {
		return nil
	}
	return table(rows)
}

func readCallbacks(body []byte) ([]wire.Callback, error) {
	var list wire.Callbacks
	err := json.Unmarshal(body, &list)
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
	ID        string   `arg:"" name:"media-id" help:"The recording."`
	Callbacks []string `arg:"" name:"callback-id" optional:"" help:"Deliveries, by the ids that list prints, whatever became of them; without any, all that failed."`
	connection
}

// Run begins the schedules anew; the exit code is 1 when one could not be.
func (c *callbacksRetry) Run(ctx context.Context) error {
	cl := c.client()
	ids, err := c.chosen(ctx, cl)
	if err != nil {
		return err
	}
	done, err := each(ctx, ids, func(id string) error {
		_, err := cl.DeliverAgain(ctx, c.ID, id)
		if err == nil {
			fmt.Printf("%s  is delivered again\n", id)
		}
		return err
	})
	if err == nil && len(done) < len(ids) {
		return errFailed
	}
	return err
}

// chosen are the deliveries that are named, or those that failed.
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
		return nil, errors.New("no delivery of this recording has failed for good; name those to be made again all the same")
	}
	return ids, nil
}

// callbacksSecret manages the secrets of an account.
type callbacksSecret struct {
	Create secretCreate `cmd:"" help:"Make a further secret and print it."`
	List   secretList   `cmd:"" help:"List the secrets, newest first."`
	Remove secretRemove `cmd:"" help:"Delete a secret that no receiver uses any more."`
}

type secretCreate struct{ connection }

// Run prints the id and the secret.
func (c *secretCreate) Run(ctx context.Context) error {
	body, err := c.client().CreateCallbackSecret(ctx)
	if err != nil {
		return err
	}
	var made wire.CallbackSecret
	if err := json.Unmarshal(body, &made); err != nil {
		return err
	}
	fmt.Printf("%s  %s\n", made.SecretID, made.Secret)
	return nil
}

type secretList struct{ connection }

// Run lists the secrets without what they are.
func (c *secretList) Run(ctx context.Context) error {
	body, err := c.client().CallbackSecrets(ctx)
	if err != nil {
		return err
	}
	var list wire.CallbackSecrets
	if err := json.Unmarshal(body, &list); err != nil {
		return err
	}
	rows := [][]any{{"SECRET", "CREATED"}}
	for _, s := range list.Secrets {
		rows = append(rows, []any{s.SecretID, day(s.Created.Time)})
	}
	return table(rows)
}

type secretRemove struct {
	ID string `arg:"" name:"secret-id" help:"The id that create and list print."`
	connection
}

// Run deletes it.
func (c *secretRemove) Run(ctx context.Context) error {
	return c.client().DeleteCallbackSecret(ctx, c.ID)
}
