package api_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/internal/flow/pipeline"
	"parley/internal/index/callindex"
	"parley/internal/operation/config"
	"parley/internal/storage/blob"
	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/testkit/foldertest"
	"parley/internal/testkit/pgtest"
	"parley/internal/testkit/s3test"
	"parley/internal/testkit/servertest"
	"parley/internal/testkit/verify"
	"parley/internal/words/cipher"
	"parley/internal/words/fault"
)

// distinct is a call whose words, speakers and metadata are in no other call.
type distinct struct {
	parts  []servertest.Part
	open   []string // texts that a redactor leaves
	hidden []string // texts that a redactor replaces: a card number, and what is said in the middle of it
}

func (d *distinct) all() []string { return slices.Concat(d.open, d.hidden) }

// word returns a word that occurs nowhere else.
func (p *people) word() string {
	letters := []byte(p.some(12))
	for i := range letters {
		letters[i] += 'a' - '0'
	}
	return string(letters)
}

// visa returns a card number of 16 digits.
func (p *people) visa() string {
	for {
		if number, _ := p.card(); number[0] == '4' {
			return number
		}
	}
}

// distinctCalls returns n calls.
func (p *people) distinctCalls(t *testing.T, n int) []*distinct {
	t.Helper()
	calls := make([]*distinct, n)
	for i := range calls {
		var open []string
		for range 9 {
			open = append(open, p.word())
		}
		number, aside := p.visa(), p.word()
		transcript, recording := callOf(t, []string{
			open[0] + ": thank you for calling what is the card number please",
			open[1] + ": yes sure my visa card is " + number[:8],
			open[0] + ": " + aside,
			open[1] + ": " + number[8:] + " and that is really all of it " + open[2],
		})
		metadata := fmt.Sprintf(`{"title":%q,"description":%q,"externalId":%q,"extended":{%q:%q},
			"callDetails":{"agent":{"fullName":%q}}}`, open[3], open[4], open[5], open[6], open[7], open[8])
		calls[i] = &distinct{[]servertest.Part{recording, transcript, servertest.Field("metadata", metadata)}, open,
			[]string{number[:8], number[8:], aside}}
	}
	return calls
}

// textsOf returns texts of several calls.
func textsOf(of func(*distinct) []string, calls ...[]*distinct) (all []string) {
	for _, d := range slices.Concat(calls...) {
		all = append(all, of(d)...)
	}
	return all
}

func hiddenOf(d *distinct) []string { return d.hidden }

func openOf(d *distinct) []string { return d.open }

// missing returns the texts that are in none of some places.
func missing(texts []string, places map[string][]byte) []string {
	return slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return placeOf(text, places) != "" })
}

// placeOf returns a place that has a text; empty if none has.
func placeOf(text string, places map[string][]byte) string {
	for place, content := range places {
		if bytes.Contains(content, []byte(text)) {
			return place
		}
	}
	return ""
}

// inspector reads the segments of a server and all copies of them. It has every key of a segment that was in the
// database at one of its looks.
type inspector struct {
	*servertest.Server
	never []string // texts that no place may have at any time

	mu    sync.Mutex
	keys  map[cipher.Key]bool
	leaks map[string]string // texts of never that were found, each with a place
	looks int
}

// watch looks again and again until the returned function is called.
func (i *inspector) watch(t *testing.T) (end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var watching sync.WaitGroup
	watching.Go(func() {
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for ctx.Err() == nil {
			if _, _, err := i.look(ctx); err != nil && ctx.Err() == nil {
				t.Error(err)
				return
			}
			select {
			case <-tick.C:
			case <-ctx.Done():
			}
		}
	})
	return sync.OnceFunc(func() {
		cancel()
		watching.Wait()
	})
}

// look returns the plain bytes of the segments in force, and of everything else that may be a copy: blobs that were
// replaced, files of the cache, temporary files. What is replaced or removed meanwhile may be left out.
func (i *inspector) look(ctx context.Context) (inForce, copies map[string][]byte, err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	inForce, copies = map[string][]byte{}, map[string][]byte{}
	states, err := i.states(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, x := range states {
		for _, s := range x.Segments {
			for _, f := range s.Files() {
				i.keys[f.Key] = true
				stored, err := i.blob(ctx, f.Blob)
				if fault.Is(err, fault.NotFound) {
					continue
				}
				if err == nil {
					inForce["segment "+f.Blob], err = decrypted(f.Key, stored)
				}
				if err != nil {
					return nil, nil, fmt.Errorf("%s: %w", f.Blob, err)
				}
			}
		}
	}
	if err := errors.Join(i.addBlobs(ctx, copies), i.addFiles(copies)); err != nil {
		return nil, nil, err
	}
	i.looks++
	for _, text := range i.never {
		for _, places := range []map[string][]byte{inForce, copies} {
			if place := placeOf(text, places); place != "" {
				i.leaks[text] = place
			}
		}
	}
	return inForce, copies, nil
}

// states returns the state of every account's index.
func (i *inspector) states(ctx context.Context) ([]store.CallIndex, error) {
	return store.Read(ctx, i.Server.Server.Store, func(tx *store.Tx) ([]store.CallIndex, error) {
		accounts, err := tx.Accounts()
		var all []store.CallIndex
		for n := 0; n < len(accounts) && err == nil; n++ {
			var x store.CallIndex
			x, err = tx.CallIndex(accounts[n].ID, store.CallIndex{Version: -1}, 1000)
			all = append(all, x)
		}
		return all, err
	})
}

func (i *inspector) blob(ctx context.Context, key string) ([]byte, error) {
	r, err := i.Server.Server.Blobs.Open(ctx, key, 0, -1)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// decrypted returns the plain bytes of what is stored under a key.
func decrypted(k cipher.Key, stored []byte) ([]byte, error) {
	size, err := k.Plain(int64(len(stored)))
	if err != nil {
		return nil, err
	}
	r, err := k.Open(func(offset, _ int64) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(stored[offset:])), nil
	}, size, 0, -1)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// add adds a copy as it is stored, and as each key decrypts it.
func (i *inspector) add(copies map[string][]byte, place string, stored []byte) {
	copies[place] = stored
	for k := range i.keys {
		if plain, err := decrypted(k, stored); err == nil && k != "" {
			copies[place+", decrypted"] = plain
		}
	}
}

// addBlobs adds all segments of the blob store, in force or not.
func (i *inspector) addBlobs(ctx context.Context, copies map[string][]byte) error {
	var keys []string
	err := i.Server.Server.Blobs.List(ctx, callindex.Family+"/", func(b blob.Info) error {
		keys = append(keys, b.Key)
		return nil
	})
	for n := 0; n < len(keys) && err == nil; n++ {
		var stored []byte
		if stored, err = i.blob(ctx, keys[n]); err == nil {
			i.add(copies, "blob "+keys[n], stored)
		} else if fault.Is(err, fault.NotFound) {
			err = nil
		}
	}
	return err
}

// addFiles adds the files of the cache, and unfinished and temporary ones.
func (i *inspector) addFiles(copies map[string][]byte) error {
	s := i.Server.Server.Settings
	var errs []error
	for _, folder := range []string{s.IndexDir(), s.TempDir(), filepath.Join(s.BlobDir(), "unfinished")} {
		err := foldertest.Each(folder, func(path string, entry fs.DirEntry) error {
			if !entry.Type().IsRegular() {
				return nil
			}
			stored, err := os.ReadFile(path)
			if err == nil {
				i.add(copies, "file "+path, stored)
			}
			return err
		})
		if !errors.Is(err, fs.ErrNotExist) { // a folder may not be there yet
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// clean ends the test if a text of never was found.
func (i *inspector) clean(t *testing.T) {
	t.Helper()
	i.mu.Lock()
	defer i.mu.Unlock()
	for text, place := range i.leaks {
		t.Errorf("%s was in %s", text, place)
	}
	if len(i.leaks) > 0 {
		t.FailNow()
	}
}

// await waits until the index of every account is as wanted.
func (i *inspector) await(t *testing.T, what string, wanted func(store.CallIndex) bool) {
	t.Helper()
	for {
		states, err := i.states(t.Context())
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if !slices.ContainsFunc(states, func(x store.CallIndex) bool { return !wanted(x) }) {
			return
		}
		i.clean(t)
		select {
		case <-t.Context().Done():
			t.Fatalf("%s: %+v", what, states)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// purge does at once what servers do within ten minutes: it rewrites segments with calls that were deleted or changed,
// and then deletes the blobs of those that were replaced.
func (i *inspector) purge(t *testing.T) {
	t.Helper()
	enqueue := func(specs ...job.Spec) {
		t.Helper()
		err := i.Server.Server.Store.Update(t.Context(), func(tx *store.Tx) error {
			for _, s := range specs {
				if _, err := tx.Enqueue(s); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	a := i.Account(t, "default").ID
	enqueue(job.Spec{Kind: callindex.Kind, Account: string(a), Subject: "index:" + string(a), Payload: []byte("purge")})
	i.await(t, "calls that changed stay in segments", func(x store.CallIndex) bool { return len(x.Tombstones) == 0 })
	later, err := i.Server.Server.Store.Queue().List(t.Context(), job.Filter{Kind: pipeline.KindPurge, Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range later {
		enqueue(job.Spec{Kind: j.Kind, Payload: j.Payload})
	}
	for {
		inForce, copies, err := i.look(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		left := 0
		for place := range copies {
			if strings.HasPrefix(place, "blob ") && !strings.HasSuffix(place, ", decrypted") {
				left++
			}
		}
		if left == len(inForce) {
			return
		}
		select {
		case <-t.Context().Done():
			t.Fatalf("%d blobs are left of %d", left, len(inForce))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Configurations of calls that statements see, without and with a redactor.
const (
	posted         = `{"publish":{"enableAnalyticIndexing":true}}`
	postedRedacted = `{"publish":{"enableAnalyticIndexing":true},"prediction":{"detectors":[{"detectorName":"PCI",
		"redactor":{"transcript":{"replacement":"[redacted]"}}}]}}`
)

// TestRedactedAndSealedWordsAreInNoSegmentAndInNoCopyOfOne uploads calls while an inspector reads all segments and all
// copies of them again and again. Some calls are redacted, some are encrypted for their owner, some fail, and some are
// redacted or deleted later. What is neither redacted nor encrypted must be found.
func TestRedactedAndSealedWordsAreInNoSegmentAndInNoCopyOfOne(t *testing.T) {
	verify.Long(t)
	for name, settings := range map[string]func(*testing.T) func(*config.Settings){
		"SQLite, plain segments in the data directory": func(*testing.T) func(*config.Settings) { return nil },
		"PostgreSQL and S3, encrypted segments and copies": func(t *testing.T) func(*config.Settings) {
			database, bucket := pgtest.URL(t), s3test.Bucket(t)
			return func(c *config.Settings) { c.Database, c.Blobs, c.IndexCache = database, bucket, 1<<30 }
		},
	} {
		t.Run(name, func(t *testing.T) { redactAndSeal(t, settings(t)) })
	}
}

func redactAndSeal(t *testing.T, settings func(*config.Settings)) {
	p := newPeople(5)
	card := p.visa()
	heard := hesitant{&speaker{said: "yes my visa card is " + card + " and that is really all of it"},
		servertest.NewGate()}
	s := servertest.Start(t, servertest.Options{Recognizer: heard, Settings: func(c *config.Settings) {
		c.Workers = 4 // two of them wait for the recogniser
		if settings != nil {
			settings(c)
		}
	}})
	key := addKey(t, s.Client, publicKey)["publicKeyId"].(string)

	// With one of failing, 64 calls, which are worth a segment. So few of them change that nothing is purged at once.
	ordinary, redacted, later, deleted := p.distinctCalls(t, 48), p.distinctCalls(t, 12), p.distinctCalls(t, 2),
		p.distinctCalls(t, 1)
	more, moreRedacted := p.distinctCalls(t, 51), p.distinctCalls(t, 10) // 64 with those of later, and one of waiting
	sealed, waiting, failing := p.distinctCalls(t, 12), p.distinctCalls(t, 2), p.distinctCalls(t, 2)
	i := &inspector{Server: s, keys: map[cipher.Key]bool{}, leaks: map[string]string{}, never: slices.Concat(
		textsOf(hiddenOf, redacted, moreRedacted, failing), []string{card},
		textsOf((*distinct).all, sealed), waiting[0].open, failing[0].open)}
	end := i.watch(t)
	defer end()
	var ids []string
	submit := func(configuration string, calls ...*distinct) []string {
		t.Helper()
		first := len(ids)
		for _, d := range calls {
			ids = append(ids, s.Submit(t, append(d.parts, configured(configuration))...))
		}
		return ids[first:]
	}
	finished := func(ids ...string) {
		t.Helper()
		for _, id := range ids {
			if item := s.Await(t, id); item["status"] != "finished" || item["errors"] != nil {
				t.Fatalf("%v: %v", item["status"], item["errors"])
			}
		}
	}
	built := func(segments int) {
		t.Helper()
		i.await(t, "calls wait for a segment", func(x store.CallIndex) bool {
			return len(x.Segments) == segments && len(x.Waiting) == 0
		})
		for _, word := range []string{"visa", ordinary[0].open[2]} { // the words of all segments are copied
			if a, _ := page(t, s.Client, query(word)); len(a) == 0 {
				t.Errorf("nothing is found by %s", word)
			}
		}
	}
	there := func(texts ...string) {
		t.Helper()
		inForce, _, err := i.look(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if m := missing(texts, inForce); len(m) > 0 {
			t.Errorf("%d of %d texts that are neither redacted nor sealed are in no segment: %v", len(m), len(texts), m)
		}
	}

	for n, configuration := range []string{sealing(t, posted, key), postedRedacted} { // they wait for the recogniser
		call := waiting[n].parts
		ids = append(ids, s.Submit(t, call[0], call[2], configured(configuration)))
		<-heard.gate.Entered
		call = failing[n].parts
		noRecording := servertest.File("media", "x.wav", []byte("no recording"))
		id := s.Submit(t, noRecording, call[1], call[2], configured(configuration))
		if item := s.Await(t, id); item["status"] != "failed" {
			t.Fatalf("%v", item["status"])
		}
	}
	submit(sealing(t, posted, key), sealed[:3]...)
	submit(postedRedacted, redacted...)
	reprocessed := submit(posted, later...)
	doomed := submit(posted, deleted...)
	submit(posted, ordinary...)
	submit(sealing(t, postedRedacted, key), sealed[3:6]...)
	finished(ids[2:]...)
	built(1)
	there(textsOf((*distinct).all, ordinary, later, deleted)...)
	there(append(textsOf(openOf, redacted), failing[1].open[3])...) // what failed is found by its title

	heard.gate.Open()
	for _, id := range reprocessed {
		ok(t, reprocess(t, s.Client, id, configured(postedRedacted)))
	}
	if a := s.Do(t, "DELETE", "/v3/media/"+doomed[0], nil); a.Status != 204 {
		t.Fatal(a)
	}
	ids = slices.DeleteFunc(ids, func(id string) bool { return id == doomed[0] })
	submit(sealing(t, postedRedacted, key), sealed[6:9]...)
	submit(postedRedacted, moreRedacted...)
	submit(posted, more...)
	submit(sealing(t, posted, key), sealed[9:]...)
	finished(ids...)
	built(2)
	i.purge(t)
	built(2)
	end()

	there(append(textsOf((*distinct).all, ordinary, more), waiting[1].open[3])...)
	there(textsOf(openOf, redacted, moreRedacted, later)...)
	clear(i.keys) // those of segments that were replaced are destroyed
	inForce, copies, err := i.look(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range append(textsOf(hiddenOf, later), textsOf((*distinct).all, deleted)...) {
		for _, places := range []map[string][]byte{inForce, copies} {
			if place := placeOf(text, places); place != "" {
				t.Errorf("%s was redacted or deleted, and is in %s", text, place)
			}
		}
	}
	kept := "blob "
	if !s.Server.Settings.SQLite() {
		kept = "file " + s.Server.Settings.IndexDir()
	}
	maps.DeleteFunc(copies, func(place string, _ []byte) bool { return !strings.HasPrefix(place, kept) })
	if m := missing(textsOf((*distinct).all, ordinary, more), copies); len(m) > 0 {
		t.Errorf("%d texts are in no copy of a segment: %v", len(m), m)
	}
	i.clean(t)
	t.Logf("%d looks, at last at %d files in force and %d copies", i.looks, len(inForce), len(copies))
}
