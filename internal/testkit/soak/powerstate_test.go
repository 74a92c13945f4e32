package soak

import (
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"parley/internal/operation/orphan"
	"parley/internal/storage/blob/disk"
	"parley/internal/storage/store"
	"parley/internal/terminal/client"
	"parley/internal/testkit/chaos"
	"parley/internal/testkit/powerloss"
)

const powerPatience = time.Minute // for a server to finish what it finds

// afterPower is a server on what a loss of power left.
type afterPower struct {
	*testing.T
	*powerRecord
	loss    powerloss.Loss
	dir     string
	token   string
	from    string // address that its callbacks come from
	history *chaos.History

	mu    sync.Mutex
	found []string
}

// lose builds what a loss leaves, lets a server finish, and returns what must not be.
func (r *powerRecord) lose(t *testing.T, v *powerReceiver, loss powerloss.Loss, number int) []string {
	t.Helper()
	root := t.TempDir()
	// Files are old, so that they are not taken for parts of running uploads.
	if err := r.trace.After(loss).WriteTo(root, time.Now().Add(-48*time.Hour)); err != nil {
		t.Fatal(err)
	}
	a := &afterPower{T: t, powerRecord: r, loss: loss, dir: filepath.Join(root, "data"), token: r.Token,
		from: fmt.Sprintf("127.0.2.%d", 1+number%250), history: r.until(loss.Instant)}
	if !happened(r.Tokened, loss.Instant) {
		a.token = firstToken(t, "--data", a.dir)
	}
	v.answer(a.from, a.receive)
	defer v.answer(a.from, nil)
	e := newEvents()
	n := start(t, e, powerFlags(a.dir, a.from)...)
	c := n.client(a.token)
	a.retry(c)
	state := a.settled(c)
	if err := n.stop(); err != nil {
		t.Error(err)
	}
	a.files(&state)
	violations := append(chaos.Check(a.history.Uploads(), a.history.Receipts(), state), a.found...)
	if len(violations) > 0 {
		violations = append(violations, "log:\n"+e.tail())
	}
	return violations
}

func (a *afterPower) report(format string, args ...any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.found = append(a.found, fmt.Sprintf(format, args...))
}

// receive accepts a callback, which must not be one that a client has seen as delivered before the loss.
func (a *afterPower) receive(_ http.ResponseWriter, id, media string) {
	a.history.Received(chaos.Receipt{Callback: id, Media: media, At: time.Now(), Accepted: true})
	for _, u := range a.Uploads {
		if u.Media == media && happened(u.Delivered, a.loss.Instant) {
			a.report("callback %s of %s is requested again, which was shown as delivered", id, u.Name)
		}
	}
}

// retry does what clients do that got no answer: they send their request again.
func (a *afterPower) retry(c *client.Client) {
	for _, u := range a.Uploads {
		media := u.Media
		if happened(u.Began, a.loss.Instant) && !happened(u.Uploaded, a.loss.Instant) {
			item, err := c.Submit(a.Context(), a.submission(u))
			if err != nil {
				a.report("%s is not accepted: %v", u.Name, err)
				continue
			}
			media = item.MediaID
			a.history.Uploaded(u.Name, media)
		}
		if happened(u.Deleting, a.loss.Instant) && !happened(u.Deleted, a.loss.Instant) {
			if err := absent(c.Delete(a.Context(), media)); err != nil {
				a.report("%s is not deleted: %v", u.Name, err)
				continue
			}
			a.history.Deleting(u.Name, chaos.Acknowledged)
		}
	}
}

// settled waits until nothing is left to do, and returns what the API shows then.
func (a *afterPower) settled(c *client.Client) (s chaos.State) {
	deadline := time.Now().Add(powerPatience)
	eventually(a.Context(), func() bool {
		s = chaos.State{Jobs: a.jobs()}
		if len(s.Jobs) == 0 || time.Now().After(deadline) {
			v, err := view(a.Context(), c, 0)
			if err != nil {
				a.Fatal(err)
			}
			s.Views = []chaos.View{v}
			return len(s.Jobs) == 0 && len(v.Items) == len(v.Search) && len(v.Items) == len(v.Analytic) ||
				time.Now().After(deadline)
		}
		return false
	})
	for _, id := range s.Views[0].Items {
		item, err := look(a.Context(), c, id)
		if err != nil {
			a.report("%s cannot be read: %v", id, err)
		}
		s.Items = append(s.Items, item)
	}
	return s
}

// query reads rows of one column of the server's database.
func (a *afterPower) query(file, query string) (all []string) {
	a.Helper()
	db, err := sql.Open("sqlite", "file:"+file+"?_pragma=busy_timeout(10000)&_pragma=query_only(1)")
	if err != nil {
		a.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(a.Context(), query)
	if err != nil {
		a.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var one string
		if err := rows.Scan(&one); err != nil {
			a.Fatal(err)
		}
		all = append(all, one)
	}
	if err := rows.Err(); err != nil {
		a.Fatal(err)
	}
	return all
}

// jobs lists what the server has not done.
func (a *afterPower) jobs() []string {
	return a.query(filepath.Join(a.dir, "parley.db"), `SELECT kind || ' ' || subject || ' ' || state || ' ' || last_error
		FROM job`)
}

// files checks the files after the server has ended.
func (a *afterPower) files(s *chaos.State) {
	a.Helper()
	databases, err := filepath.Glob(filepath.Join(a.dir, "*.db"))
	if err != nil || len(databases) != 1 {
		a.report("databases: %v, %v", databases, err)
	}
	for _, file := range databases {
		if problems := a.query(file, `PRAGMA integrity_check`); len(problems) != 1 || problems[0] != "ok" {
			a.report("%s is damaged: %v", filepath.Base(file), problems)
		}
	}
	for _, folder := range []string{"tmp", "blobs/unfinished"} {
		if left, _ := os.ReadDir(filepath.Join(a.dir, folder)); len(left) > 0 {
			a.report("unfinished files are left: %v", left)
		}
	}
	if err := a.compare(s); err != nil {
		a.Fatal(err)
	}
}

// compare compares recordings with files, as parley doctor --repair does, and again after it has deleted files of no
// recording.
func (a *afterPower) compare(s *chaos.State) (err error) {
	db, err := store.OpenExisting(a.Context(), store.Config{URL: "sqlite://" + filepath.Join(a.dir, "parley.db")})
	if err != nil {
		return err
	}
	defer db.Close()
	blobs, err := disk.Open(disk.Config{Dir: filepath.Join(a.dir, "blobs")})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, blobs.Close()) }()
	_, left, err := collect(a.Context(), &orphan.Scan{Store: db, Blobs: blobs, Grace: orphan.Least}, s)
	if err != nil {
		return err
	}
	if left.Young+left.Foreign > 0 || left.Stored != 2*len(s.Items) { // a recording and its waveform
		a.report("%d recordings and their waveforms have %d files; %d belong to no recording, %d have other names",
			len(s.Items), left.Stored, left.Young, left.Foreign)
	}
	return nil
}
