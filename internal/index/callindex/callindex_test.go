package callindex_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley/internal/call/codec"
	"parley/internal/call/result"
	"parley/internal/index/callindex"
	"parley/internal/index/tokenfile"
	"parley/internal/lab/corpus"
	"parley/internal/query"
	"parley/internal/query/callset"
	"parley/internal/storage/blob/disk"
	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/testkit/indextest"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
)

// town is an account with calls on several servers, and what its calls should be.
type town struct {
	t     rapid.TB
	ctx   context.Context
	db    *store.Store
	codec *codec.Codec
	blobs *faulty
	nodes []*callindex.Index
	a     account.ID
	job   job.Job
	model map[media.ID]state
	next  int

	unposted bool // calls are published without being posted for the analytic database
}

// state is how often a call was published, and how often its metadata was changed.
type state struct{ published, touched int }

// faulty is a blob store that fails the next writes or reads on demand.
type faulty struct {
	*disk.Store
	mu    sync.Mutex
	after func(key string) error // of a write; nil: nothing
}

func (f *faulty) Put(ctx context.Context, key string, r io.Reader) (int64, error) {
	n, err := f.Store.Put(ctx, key, r)
	f.mu.Lock()
	after := f.after
	f.mu.Unlock()
	if err == nil && after != nil {
		err = after(key)
	}
	return n, err
}

func (f *faulty) then(after func(string) error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.after = after
}

func newTown(t *testing.T, encrypted bool) *town {
	t.Helper()
	path := filepath.Join(t.TempDir(), "parley.db")
	db := storetest.Open(t, "sqlite://"+path)
	codec, err := codec.New()
	if err != nil {
		t.Fatal(err)
	}
	w := &town{t: t, ctx: t.Context(), db: db, codec: codec, blobs: &faulty{Store: indextest.Blobs(t)}}
	for range 3 {
		x := indextest.Encrypted(t, db, w.blobs)
		if !encrypted {
			x = indextest.Plain(t, db, w.blobs.Store)
			x.Blobs = w.blobs
		}
		x.SetLimits(3, 40, 3)
		w.nodes = append(w.nodes, x)
	}
	return w
}

// begin begins with a new account.
func (w *town) begin(name string) {
	w.model = map[media.ID]state{}
	w.update(func(tx *store.Tx) error {
		made, err := tx.CreateAccount(name)
		w.a = made.ID
		return err
	})
	w.update(func(tx *store.Tx) error {
		_, err := tx.Enqueue(job.Spec{Kind: callindex.Kind, Account: string(w.a), Subject: "index:" + string(w.a)})
		return err
	})
	jobs, err := w.db.Queue().Claim(w.ctx, job.Claims{Worker: "w", Kinds: []string{callindex.Kind}, Most: 1})
	if err != nil || len(jobs) != 1 {
		w.t.Fatal(jobs, err)
	}
	w.job = jobs[0]
}

func (w *town) update(f func(tx *store.Tx) error) {
	w.t.Helper()
	if err := w.db.Update(w.ctx, f); err != nil {
		w.t.Fatal(err)
	}
}

var calls = corpus.New(corpus.Config{Words: 4})

// titled is the metadata of all calls.
var titled = media.StoredMetadata([]byte(`{"title":"wombat"}`))

// publish publishes a call for the n-th time: it has n words.
func (w *town) publish(id media.ID) {
	w.t.Helper()
	now := w.model[id]
	now.published++
	n := now.published
	said := &transcript.Transcript{Speakers: []transcript.Speaker{{Name: "Agent"}}, Length: time.Minute}
	for i := range n {
		said.Words = append(said.Words, transcript.Word{Text: fmt.Sprintf("spoken%d", i), Start: time.Duration(i) * time.Second})
	}
	w.update(func(tx *store.Tx) error {
		if n == 1 {
			if _, err := tx.InsertMedia(media.Media{ID: id, Account: w.a, Status: media.Finished, Metadata: titled}, nil, nil); err != nil {
				return err
			}
		}
		if err := tx.PutResult(id, store.Result{Version: 1, Result: w.codec.EncodeResult(&result.Open{Transcript: said})}); err != nil {
			return err
		}
		return tx.PutAnalytic(w.a, id, !w.unposted)
	})
	w.model[id] = now
}

// touch changes the metadata of a call, but not its title.
func (w *town) touch(id media.ID) {
	w.t.Helper()
	now := w.model[id]
	now.touched++
	w.update(func(tx *store.Tx) error {
		m := media.StoredMetadata(fmt.Appendf(nil, `{"title":"wombat","extended":{"touched%d":%d}}`, now.touched%2, now.touched))
		_, err := tx.SetMetadata(w.a, id, m, 0)
		return err
	})
	w.model[id] = now
}

// some draws a call of the model.
func (w *town) some(t *rapid.T) media.ID {
	ids := slices.Sorted(maps.Keys(w.model))
	if len(ids) == 0 {
		t.Skip("no calls")
	}
	return rapid.SampledFrom(ids).Draw(t, "call")
}

// seen returns the calls of a snapshot.
func seen(parts []*callindex.Part) (map[media.ID]state, error) {
	all := map[media.ID]state{}
	var errs []error
	for _, p := range parts {
		words, touched := wordCounts(p), valuesOf(p, "touched")
		var file tokenfile.File
		for call := range p.Visible.All {
			id, twice := p.ID(call), false
			if _, twice = all[id]; twice && p.Err() == nil {
				errs = append(errs, fmt.Errorf("call %s is there twice", id))
			}
			n, _ := words[call].Number()
			if err := file.Decode(p.Tokens(call)); err != nil || len(file.Words) != int(n)+1 { // and the title
				errs = append(errs, fmt.Errorf("call %s has %d words, and %v are counted: %v", id, len(file.Words), n, err))
			}
			m, _ := touched[call].Number()
			all[id] = state{int(n), int(m)}
		}
		errs = append(errs, p.Err())
	}
	return all, errors.Join(errs...)
}

func wordCounts(p *callindex.Part) []query.Value { return valuesOf(p, "wordCount") }

// valuesOf reads the columns of a part whose name begins with a text. It checks that all ways to read them agree.
func valuesOf(p *callindex.Part, name string) []query.Value {
	values := make([]query.Value, p.Len())
	all := callset.New(p.Len()).Fill(p.Len())
	for i := range p.Columns() {
		f := p.Field(i)
		if !strings.HasPrefix(f.Path[len(f.Path)-1], name) {
			continue
		}
		before, left, counted := slices.Clone(values), slices.Clone(all), 0
		p.Read(i, values, nil)
		for _, n := range p.Tally(i, left, nil) {
			counted += n
		}
		for call := range values {
			v := p.Value(i, call)
			if before[call].Missing() && values[call] != v || v.Missing() != left.Has(call) {
				panic(fmt.Sprintf("%s of call %d: %v, read together %v", f, call, v.Any(), values[call].Any()))
			}
		}
		if counted != p.Len()-left.Len() {
			panic(fmt.Sprintf("%s: %d counted, %d have it", f, counted, p.Len()-left.Len()))
		}
	}
	return values
}

// parts returns what a server sees, with its words.
func (w *town) parts(x *callindex.Index) ([]*callindex.Part, error) {
	parts, err := x.Snapshot(w.ctx, w.a)
	if err == nil {
		err = x.Load(w.ctx, w.a, parts...)
	}
	return parts, err
}

// check compares what every server sees with the model. It is patient with what a job has to mend first.
func (w *town) check() {
	w.t.Helper()
	for n, x := range w.nodes {
		parts, err := w.parts(x)
		if fault.Is(err, fault.Unavailable) {
			w.work()
			parts, err = w.parts(x)
		}
		if err != nil {
			w.t.Fatalf("server %d: %v", n, err)
		}
		all, err := seen(parts)
		if err != nil || !maps.Equal(all, w.model) {
			w.t.Fatalf("server %d (%v) has %v\nwant %v", n, err, all, w.model)
		}
	}
}

// work does all steps that are left.
func (w *town) work() {
	w.t.Helper()
	for range 100 {
		more, err := w.nodes[0].Step(w.ctx, w.job, true)
		if err != nil {
			w.t.Fatal(err)
		}
		if !more {
			return
		}
	}
	w.t.Fatal("the work does not end")
}

var errCrash = errors.New("crash")

// TestEveryServerSeesEachCallOnceAsItIs publishes, changes and deletes calls while jobs of several workers build and
// merge segments, crash, and race, and while blobs are lost.
func TestEveryServerSeesEachCallOnceAsItIs(t *testing.T) {
	for name, encrypted := range map[string]bool{"plain": false, "encrypted": true} {
		t.Run(name, func(t *testing.T) {
			w := newTown(t, encrypted)
			round := 0
			rapid.Check(t, func(t *rapid.T) {
				round++
				w.t = t
				w.begin(fmt.Sprint("a", round))
				t.Repeat(w.actions())
			})
		})
	}
}

// state returns the state of the account's index, with its segments.
func (w *town) state() (store.CallIndex, error) {
	return store.Read(w.ctx, w.db, func(tx *store.Tx) (store.CallIndex, error) {
		return tx.CallIndex(w.a, store.CallIndex{Version: -1}, 100)
	})
}

// actions are what can happen.
func (w *town) actions() map[string]func(*rapid.T) {
	step := func(t *rapid.T) {
		x := w.nodes[rapid.IntRange(0, 2).Draw(t, "server")]
		if _, err := x.Step(w.ctx, w.job, rapid.Bool().Draw(t, "purge")); err != nil && !fault.Is(err, fault.Conflict) {
			t.Fatal(err)
		}
	}
	return map[string]func(*rapid.T){
		"": func(t *rapid.T) { w.check() },
		"publish": func(t *rapid.T) {
			for range rapid.IntRange(1, 5).Draw(t, "calls") {
				w.next++
				w.publish(calls.Call(w.next).ID)
			}
		},
		"change": func(t *rapid.T) { w.publish(w.some(t)) },
		"change metadata": func(t *rapid.T) {
			for range rapid.IntRange(1, 4).Draw(t, "calls") {
				w.touch(w.some(t))
			}
		},
		"change metadata while a job builds": func(t *rapid.T) {
			id := w.some(t)
			w.blobs.then(func(string) error { w.blobs.then(nil); w.touch(id); return nil })
			step(t)
			w.blobs.then(nil)
		},
		"delete": func(t *rapid.T) {
			id := w.some(t)
			w.update(func(tx *store.Tx) error { _, err := tx.DeleteMedia(w.a, id); return err })
			delete(w.model, id)
		},
		"step": step, "another step": step,
		"nobody asks for a while": func(t *rapid.T) {
			if err := w.nodes[1].LetGo(w.ctx, time.Now()); err != nil {
				t.Fatal(err)
			}
		},
		"crash": func(t *rapid.T) {
			w.blobs.then(func(string) error { return errCrash })
			_, err := w.nodes[0].Step(w.ctx, w.job, true)
			w.blobs.then(nil)
			if err != nil && !errors.Is(err, errCrash) {
				t.Fatal(err)
			}
		},
		"change while a job builds": func(t *rapid.T) {
			id := w.some(t)
			w.blobs.then(func(string) error { w.blobs.then(nil); w.publish(id); return nil })
			step(t)
			w.blobs.then(nil)
		},
		"delete while a job builds": func(t *rapid.T) {
			id := w.some(t)
			w.blobs.then(func(string) error {
				w.blobs.then(nil)
				w.update(func(tx *store.Tx) error { _, err := tx.DeleteMedia(w.a, id); return err })
				delete(w.model, id)
				return nil
			})
			step(t)
			w.blobs.then(nil)
		},
		"another worker is faster": func(t *rapid.T) {
			w.blobs.then(func(string) error { w.blobs.then(nil); step(t); return nil })
			step(t)
			w.blobs.then(nil)
		},
		"a blob is lost": func(t *rapid.T) {
			var keys []string
			state, err := w.state()
			for _, s := range state.Segments {
				for _, f := range s.Files() {
					keys = append(keys, f.Blob)
				}
			}
			if err != nil || len(keys) == 0 {
				t.Skip(err)
			}
			key := rapid.SampledFrom(keys).Draw(t, "blob")
			err = w.blobs.Delete(w.ctx, key)
			if err == nil && rapid.Bool().Draw(t, "corrupt") {
				_, err = w.blobs.Store.Put(w.ctx, key, strings.NewReader("something else"))
			}
			if err != nil {
				t.Fatal(err)
			}
		},
	}
}

// A call that is deleted, or published again without some of its words, leaves none of them in a segment in force once
// that was purged, even if too few calls wait to be built into another one.
func TestWordsOfDeletedAndChangedCallsAreInNoSegmentAfterAPurge(t *testing.T) {
	for what, take := range map[string]func(w *town, id media.ID){
		"deleted": func(w *town, id media.ID) {
			w.update(func(tx *store.Tx) error { _, err := tx.DeleteMedia(w.a, id); return err })
			delete(w.model, id)
		},
		"changed": func(w *town, id media.ID) {
			w.model[id] = state{published: 1}
			w.publish(id)
		},
	} {
		t.Run(what, func(t *testing.T) {
			w := newTown(t, false)
			w.begin("a")
			for n := range 8 {
				w.publish(calls.Call(n).ID)
			}
			id := slices.Sorted(maps.Keys(w.model))[3]
			for range 5 {
				w.publish(id) // it alone has the word spoken5
			}
			w.work()
			if w.filesWith("wombat") == 0 {
				t.Error("titles are in no segment")
			}
			if n := w.filesWith("spoken5"); n == 0 {
				t.Fatal("the word is in no segment")
			}
			take(w, id)
			w.work()
			w.check()
			if n := w.filesWith("spoken5"); n != 0 {
				t.Errorf("the word is in %d segments in force", n)
			}
		})
	}
}

// A job of a large account works in turns with those of others, and is done in the end.
func TestAJobQueuesAgainAfterItsTurn(t *testing.T) {
	w := newTown(t, false)
	w.begin("a")
	for n := range 4 {
		w.publish(calls.Call(n).ID)
	}
	w.nodes[0].SetTurn(-1)
	for turns := 1; ; turns++ {
		if err := w.nodes[0].Handle(w.ctx, w.job); err != nil {
			t.Fatal(err)
		}
		jobs, err := w.db.Queue().Claim(w.ctx, job.Claims{Worker: "w", Kinds: []string{callindex.Kind}, Most: 1})
		if err != nil {
			t.Fatal(err)
		}
		if len(jobs) == 0 {
			if turns != 2 { // one that builds, and one that finds nothing left to do
				t.Errorf("done after %d turns", turns)
			}
			break
		}
		w.job = jobs[0]
	}
	w.check()
}

// filesWith counts the segments in force whose bytes contain a text.
func (w *town) filesWith(text string) (n int) {
	w.t.Helper()
	state, err := w.state()
	if err != nil {
		w.t.Fatal(err)
	}
	for _, s := range state.Segments {
		for _, f := range s.Files() {
			data, err := os.ReadFile(w.blobs.Path(f.Blob))
			if err != nil {
				w.t.Fatal(err)
			}
			if bytes.Contains(data, []byte(text)) {
				n++
			}
		}
	}
	return n
}

// Of a call that is neither searchable nor posted for the analytic database, segments have the id alone.
func TestWordsOfCallsThatNobodyMaySearchAreInNoSegment(t *testing.T) {
	w := newTown(t, false)
	w.begin("a")
	w.unposted = true
	var ids []media.ID
	for n := range 8 {
		ids = append(ids, calls.Call(n).ID)
		w.publish(ids[n])
	}
	look := func(alive, bare int) {
		t.Helper()
		parts, err := w.nodes[1].Snapshot(w.ctx, w.a)
		if err != nil || len(parts) != 1 || parts[0].Alive.Len() != alive || parts[0].Bare.Len() != bare {
			t.Errorf("%d parts, %v", len(parts), err)
		}
	}
	look(8, 0) // in memory
	w.work()
	look(0, 8)
	if w.filesWith("wordCount")+w.filesWith("spoken0")+w.filesWith("wombat") > 0 {
		t.Error("a segment has words or values")
	}
	p, err := w.nodes[1].Read(w.ctx, w.a, append(ids[1:3:3], "01912c45-5f3c-7d1a-9b1e-0a8d5c2f4e11"))
	if err != nil || p.Alive.Len() != 2 {
		t.Fatal(p, err)
	}
	if n, _ := wordCounts(p)[0].Number(); n != 1 {
		t.Errorf("%v words", n)
	}
	if p, err = w.nodes[1].Read(w.ctx, w.a, []media.ID{"01912c45-5f3c-7d1a-9b1e-0a8d5c2f4e11"}); p != nil || err != nil {
		t.Errorf("no call: %v, %v", p, err)
	}
}

// A call can wait although a segment in force has its present revision: when that was found to be lost and is there
// again, or when the row of the call was locked as the segment came into force. It is in no other segment before its
// tombstone is gone.
func TestACallIsNotBuiltAgainWhileItsPresentRevisionHasATombstone(t *testing.T) {
	w := newTown(t, false)
	w.begin("a")
	for n := range 4 {
		w.publish(calls.Call(n).ID)
	}
	w.work()
	w.update(func(tx *store.Tx) error {
		kept, err := tx.KeptCalls(w.a, "", 4)
		if err != nil {
			return err
		}
		return errors.Join(tx.Unkeep(w.a, kept), tx.Bury(w.a, kept))
	})
	w.check()
	for more := true; more; {
		var err error
		if more, err = w.nodes[1].Step(w.ctx, w.job, true); err != nil {
			t.Fatal(err)
		}
		w.check()
	}
	state, err := w.state()
	if err != nil || len(state.Waiting)+len(state.Tombstones) != 0 {
		t.Errorf("at last: %+v, %v", state, err)
	}
}
