package soak

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/internal/terminal/client"
	"parley/internal/testkit/verify"
)

// data returns the folder of real recordings.
func data(t *testing.T, below string) string {
	t.Helper()
	dir := os.Getenv("PARLEY_DATA")
	if dir == "" {
		t.Skip("PARLEY_DATA is not set: no folder with real recordings")
	}
	return filepath.Join(dir, below)
}

// files lists the files below a folder up to a size, without texts and references.
func files(t *testing.T, dir string, most int64) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		switch filepath.Ext(path) {
		case ".txt", ".json", ".rttm", ".lab", ".md":
			return nil
		}
		if info, err := entry.Info(); err == nil && info.Size() <= most {
			found = append(found, path)
		}
		return err
	})
	if err != nil || len(found) == 0 {
		t.Fatalf("no files below %s: %v", dir, err)
	}
	return found
}

// TestEveryRealRecordingFinishes processes real recordings: all of them with PARLEY_SOAK, otherwise the short ones.
// Word times increase and lie inside the media.
func TestEveryRealRecordingFinishes(t *testing.T) {
	verify.Long(t)
	most := int64(300_000)
	if soaking() {
		most = 1 << 40
	}
	paths := files(t, data(t, "audio"), most)
	dir := filepath.Join(t.TempDir(), "data")
	token := firstToken(t, "--data", dir)
	e := newEvents()
	n := start(t, e, "--data", dir)
	c := n.client(token)
	ids := map[string]string{}
	for _, path := range paths {
		configuration := ""
		if strings.Contains(path, "stereo") || strings.Contains(path, "auto_repairs") {
			configuration = `{"ingest":{"stereo":{"left":{"speakerName":"Agent"},"right":{"speakerName":"Caller"}}}}`
		}
		item, err := submitFile(t.Context(), c, path, configuration)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		ids[path] = item.MediaID
	}
	for path, id := range ids {
		await(t, c, id, e)
		checkTimes(t, c, path, id)
	}
	t.Logf("%d recordings finished", len(paths))
	if err := n.stop(); err != nil {
		t.Error(err)
	}
}

// checkTimes checks that word times increase and lie inside the media.
func checkTimes(t *testing.T, c *client.Client, path, id string) {
	t.Helper()
	body, err := c.Transcript(t.Context(), id, "json")
	if err != nil {
		t.Fatal(err)
	}
	var item struct {
		Length     int64
		Transcript struct {
			Words []struct {
				S, E int64
				M    string
			}
		}
	}
	if err := json.Unmarshal(body, &item); err != nil {
		t.Fatal(err)
	}
	last := int64(0)
	for _, w := range item.Transcript.Words {
		if w.M != "" {
			continue
		}
		if w.S < last || w.E < w.S || w.E > item.Length {
			t.Errorf("%s: a word from %d to %d ms after one that starts at %d, in %d ms of media", path, w.S, w.E, last,
				item.Length)
		}
		last = w.S
	}
}

// TestBadMediaTakesAMinuteAtMost sends damaged and unsupported files. Each ends finished, or failed with a reason,
// within a minute of CPU time; the server keeps running, and no process is left.
func TestBadMediaTakesAMinuteAtMost(t *testing.T) {
	verify.Long(t)
	paths := files(t, data(t, "bad_media"), 1<<40)
	dir := filepath.Join(t.TempDir(), "data")
	token := firstToken(t, "--data", dir)
	e := newEvents()
	n := start(t, e, "--data", dir)
	c := n.client(token)
	outcomes := map[string]int{}
	for _, path := range paths {
		item, err := submitFile(t.Context(), c, path, "")
		if refused := refusal(err); refused != nil {
			outcomes["refused"]++
			if refused.Status != 400 {
				t.Errorf("%s: %v", path, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v\n%s", path, err, e.tail())
		}
		before := processorTime(t)
		item, err = c.Wait(t.Context(), item.MediaID, 50*time.Millisecond, func(client.Progress) {})
		if err != nil {
			t.Fatalf("%s: %v\n%s", path, err, e.tail())
		}
		outcomes[item.Status]++
		if took := processorTime(t) - before; took > time.Minute {
			t.Errorf("%s took %v", path, took)
		}
		if item.Status != "finished" &&
			(item.Status != "failed" || len(item.Errors) == 0 || item.Errors[0].Error == "" ||
				item.Errors[0].Code == 90003) {
			t.Errorf("%s is %s: %v", path, item.Status, item.Errors)
		}
	}
	t.Logf("%d files: %v", len(paths), outcomes)
	if err := n.stop(); err != nil {
		t.Error(err)
	}
	if left := processes(t); len(left) > 0 {
		t.Errorf("processes are left: %v", left)
	}
}

func refusal(err error) *client.Error {
	refused, ok := err.(*client.Error)
	if !ok {
		return nil
	}
	return refused
}

// submitFile uploads one recording from disk.
func submitFile(ctx context.Context, c *client.Client, path, configuration string) (client.Item, error) {
	f, err := os.Open(path)
	if err != nil {
		return client.Item{}, err
	}
	defer f.Close()
	return c.Submit(ctx, client.Submission{Name: filepath.Base(path), Media: f, Configuration: configuration})
}
