package soak

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"parley/internal/call/wire"
	"parley/internal/operation/orphan"
	"parley/internal/storage/blob"
	"parley/internal/storage/blob/s3"
	"parley/internal/storage/store"
	"parley/internal/terminal/client"
	"parley/internal/testkit/chaos"
)

// everything is more recordings than a trial has.
const everything = 1000

// state asks all nodes what the cluster is left in, except which files belong to no recording.
func (c *cluster) state(ctx context.Context) (s chaos.State, err error) {
	for _, m := range c.members {
		v, err := view(ctx, m.client(c.token), m.index)
		if err != nil {
			return s, fmt.Errorf("node %d: %w", m.index, err)
		}
		s.Views = append(s.Views, v)
	}
	for i, id := range s.Views[0].Items {
		item, err := look(ctx, c.members[i%len(c.members)].client(c.token), id)
		if err != nil {
			return s, fmt.Errorf("%s: %w", id, err)
		}
		s.Items = append(s.Items, item)
	}
	s.Jobs, err = jobs(ctx, c.members[0].client(c.token))
	return s, err
}

// view returns which recordings a node lists, finds and counts.
func view(ctx context.Context, c *client.Client, node int) (v chaos.View, err error) {
	v.Node = node
	if v.Items, err = listed(ctx, c, client.Filter{}); err != nil {
		return v, err
	}
	if v.Search, err = listed(ctx, c, client.Filter{Query: greeting}); err != nil {
		return v, err
	}
	answer, err := c.Ask(ctx, fmt.Sprintf(`SELECT mediaId FROM media MATCH '%s' LIMIT %d`, greeting, everything))
	if err != nil {
		return v, err
	}
	var table struct {
		Rows []struct {
			MediaID string `json:"mediaId"`
		} `json:"rows"`
	}
	err = json.Unmarshal(answer, &table)
	for _, row := range table.Rows {
		v.Analytic = append(v.Analytic, row.MediaID)
	}
	return v, err
}

func listed(ctx context.Context, c *client.Client, f client.Filter) (ids []string, err error) {
	items, _, err := c.List(ctx, f, everything)
	for _, raw := range items {
		var item client.Item
		if err := json.Unmarshal(raw, &item); err != nil {
			return nil, err
		}
		ids = append(ids, item.MediaID)
	}
	return ids, err
}

// look returns an item as a node shows it.
func look(ctx context.Context, c *client.Client, id string) (i chaos.Item, err error) {
	body, err := c.Media(ctx, id)
	if err != nil {
		return i, err
	}
	var shown struct {
		Status   string `json:"status"`
		Metadata struct {
			ExternalID string `json:"externalId"`
		} `json:"metadata"`
		Transcript struct {
			Words []json.RawMessage `json:"words"`
		} `json:"transcript"`
	}
	if err := json.Unmarshal(body, &shown); err != nil {
		return i, err
	}
	i = chaos.Item{Media: id, Name: shown.Metadata.ExternalID, Status: shown.Status, Turns: len(shown.Transcript.Words)}
	if i.SHA256, err = digest(ctx, c, id); err != nil {
		return i, err
	}
	list, err := callbacks(ctx, c, id)
	for _, callback := range list {
		i.Tries = append(i.Tries, tries(callback)...)
	}
	return i, err
}

func tries(c wire.Callback) (all []chaos.Try) {
	for _, t := range c.Tries {
		all = append(all, chaos.Try{
			Callback: c.CallbackID, At: t.Date.Time, Took: time.Duration(t.Duration) * time.Millisecond,
			Accepted: t.Status == http.StatusOK,
		})
	}
	return all
}

// digest returns the SHA-256 of the stored recording.
func digest(ctx context.Context, c *client.Client, id string) (string, error) {
	s, err := c.OpenStream(ctx, id, "original", 0, "")
	if err != nil {
		return "", err
	}
	defer s.Body.Close()
	h := sha256.New()
	_, err = io.Copy(h, s.Body)
	return hex.EncodeToString(h.Sum(nil)), err
}

// jobs lists the jobs that are not done.
func jobs(ctx context.Context, c *client.Client) (list []string, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.Base+"/v3/queue", nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+c.Token)
	answer, err := c.HTTP.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the queue: %s", answer.Status)
	}
	var queue wire.Queue
	err = json.NewDecoder(answer.Body).Decode(&queue)
	for _, j := range queue.Jobs {
		list = append(list, fmt.Sprintf("%s of %s is %s after %d attempts: %s", j.Kind, j.MediaID, j.Status, j.Attempts, j.Error))
	}
	return list, err
}

// orphans collects the files that belong to no recording, as a server does after days, and returns how many there were.
// The state gets those that are still there, and the recordings whose file is gone.
func (c *cluster) orphans(t *testing.T, s *chaos.State) (collected int, err error) {
	rows, err := store.OpenExisting(t.Context(), store.Config{URL: c.database})
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	files, err := s3.Open(c.bucket)
	if err != nil {
		return 0, err
	}
	found, _, err := collect(t.Context(), &orphan.Scan{Store: rows, Blobs: aged{files}, Grace: orphan.Grace}, s)
	if err != nil {
		return 0, err
	}
	return len(found.Blobs), nil
}

// collect deletes the files that belong to no recording, and returns what was found before and is left after that. The
// state gets those that are still there, and the recordings whose file is gone.
func collect(ctx context.Context, scan *orphan.Scan, s *chaos.State) (found, left *orphan.Findings, err error) {
	if found, err = scan.Find(ctx); err != nil {
		return found, left, err
	}
	for _, r := range found.Rows {
		s.Lost = append(s.Lost, fmt.Sprintf("%s of %s", r.Name, r.Media))
	}
	if found.Foreign > 0 {
		s.Orphans = append(s.Orphans, fmt.Sprintf("%d files with unknown names", found.Foreign))
	}
	found.Rows = nil // they stay as they are
	if _, err := scan.Repair(ctx, found); err != nil {
		return found, left, err
	}
	if left, err = scan.Find(ctx); err != nil {
		return found, left, err
	}
	for _, b := range left.Blobs {
		s.Orphans = append(s.Orphans, b.Key)
	}
	return found, left, nil
}

// aged is a store whose objects are two days old.
type aged struct{ blob.Store }

// List implements blob.Store.
func (a aged) List(ctx context.Context, prefix string, f func(blob.Info) error) error {
	return a.Store.List(ctx, prefix, func(b blob.Info) error { return f(older(b)) })
}

// Stat implements blob.Store.
func (a aged) Stat(ctx context.Context, key string) (blob.Info, error) {
	b, err := a.Store.Stat(ctx, key)
	return older(b), err
}

func older(b blob.Info) blob.Info {
	b.Modified = b.Modified.Add(-2 * orphan.Grace)
	return b
}
