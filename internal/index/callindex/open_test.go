package callindex_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"parley/internal/index/callindex"
	"parley/internal/index/segment"
	"parley/internal/storage/store"
	"parley/internal/testkit/foldertest"
	"parley/internal/words/account"
	"parley/internal/words/fault"
)

// What was replaced or deleted is mapped by no server once nobody asks for it.
func TestServersLetGoOfSegmentsThatAreNotInForce(t *testing.T) {
	w := newTown(t, false)
	w.begin("a")
	for n := range 8 {
		w.publish(calls.Call(n).ID)
	}
	w.work()
	w.check()
	mapped := func() (n int) {
		t.Helper()
		runtime.GC() // runs the cleanups of what is not referenced any more
		list, err := os.ReadFile("/proc/self/maps")
		if err != nil {
			t.Skip("there is no list of mapped files: ", err)
		}
		folder := filepath.Dir(filepath.Dir(w.blobs.Path(callindex.Family + "/x")))
		return strings.Count(string(list), folder)
	}
	if mapped() == 0 {
		t.Fatal("no segment is mapped")
	}
	w.update(func(tx *store.Tx) error { _, err := tx.DeleteAccount(w.a); return err })
	for _, x := range w.nodes {
		if err := x.LetGo(w.ctx, time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	for mapped() > 0 {
		select {
		case <-t.Context().Done():
			t.Fatal("segments of a deleted account stay mapped")
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// A blob that is gone or corrupt is stored again by a server that has a copy, so that servers without one can answer.
func TestALostSegmentIsStoredAgainFromTheCopyOfAServer(t *testing.T) {
	for what, damage := range map[string]func(w *town, key string) error{
		"gone": func(w *town, key string) error { return w.blobs.Delete(w.ctx, key) },
		"corrupt": func(w *town, key string) error {
			_, err := w.blobs.Store.Put(w.ctx, key, strings.NewReader("something else"))
			return err
		},
	} {
		t.Run(what, func(t *testing.T) {
			w := newTown(t, true)
			w.begin("a")
			for n := range 8 {
				w.publish(calls.Call(n).ID)
			}
			w.work() // server 0 has no copy of what it has built
			if _, err := w.parts(w.nodes[0]); err != nil {
				t.Fatal(err)
			}
			state, err := w.state()
			if err != nil || len(state.Segments) != 1 {
				t.Fatal(state.Segments, err)
			}
			if err := damage(w, state.Segments[0].Words.Blob); err != nil {
				t.Fatal(err)
			}
			if _, err := w.parts(w.nodes[1]); !fault.Is(err, fault.Unavailable) {
				t.Errorf("a server without a copy: %v", err)
			}
			w.work()
			again, err := w.state()
			if err != nil || len(again.Segments) != 1 || again.Segments[0] != state.Segments[0] {
				t.Errorf("%+v, want %+v", again.Segments, state.Segments)
			}
			w.check()
		})
	}
}

// A copy that is corrupt on the disk of a server is an error once, and is then taken from the storage again.
func TestACorruptCopyIsTakenFromTheStorageAgain(t *testing.T) {
	w := newTown(t, true)
	x := w.nodes[1]
	x.Blocks = segment.NewBlocks(1) // one block
	w.nodes = []*callindex.Index{w.nodes[0], x}
	w.nodes[0].SetLimits(3, 40, 100) // nothing is merged
	w.begin("a")
	for n := range 6 {
		w.publish(calls.Call(n).ID)
		if n%3 == 2 {
			w.work()
		}
	}
	parts, err := w.parts(x)
	if err != nil || len(parts) != 2 {
		t.Fatal(parts, err)
	}
	copies, err := filepath.Glob(filepath.Join(x.Cache.Dir, "*segment*"))
	if err != nil || len(copies) != 4 {
		t.Fatal(copies, err)
	}
	for _, path := range copies {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteAt(make([]byte, 200), 0); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	damaged := 0
	for range parts { // of one of them, the block may still be in memory
		if _, err := seen(parts); errors.Is(err, segment.ErrDamaged) {
			damaged++
		}
		if parts, err = w.parts(x); err != nil {
			t.Fatal(err)
		}
	}
	if damaged == 0 {
		t.Error("corrupt copies are read without an error")
	}
	w.check()
}

// A server copies the words of a segment when they are needed: questions about values alone do without them.
func TestWordsAreCopiedWhenTheyAreNeeded(t *testing.T) {
	w := newTown(t, true)
	x := w.nodes[1]
	w.nodes[0].SetLimits(3, 40, 100) // nothing is merged
	w.begin("a")
	for n := range 6 {
		w.publish(calls.Call(n).ID)
		if n%3 == 2 {
			w.work()
		}
	}
	copies := func() int {
		t.Helper()
		all, err := filepath.Glob(filepath.Join(x.Cache.Dir, "*segment*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	parts, err := x.Snapshot(w.ctx, w.a)
	if err != nil || len(parts) != 2 || len(wordCounts(parts[0])) != 3 || copies() != 2 || parts[0].Loaded() {
		t.Errorf("%d parts, %d copies, %v", len(parts), copies(), err)
	}
	if err := x.Load(w.ctx, w.a, parts[1]); err != nil || copies() != 3 || parts[0].Loaded() || !parts[1].Loaded() {
		t.Errorf("the words of one segment: %d copies, %v", copies(), err)
	}
	w.touch(parts[1].ID(0))
	w.work() // replaces its values
	if parts, err = x.Snapshot(w.ctx, w.a); err != nil || parts[0].Loaded() || !parts[1].Loaded() {
		t.Errorf("its words are closed: %v", err)
	}
	if n := copies(); n != 4 { // and its new values
		t.Errorf("%d copies", n)
	}
	w.check()
}

// The segments that a server keeps open are bounded, however many accounts ask.
func TestSegmentsOfAccountsThatDoNotAskAreClosed(t *testing.T) {
	w := newTown(t, false)
	x := w.nodes[1]
	x.SetMostOpened(3)
	var all []account.ID
	for n := range 6 {
		w.begin(fmt.Sprint("a", n))
		for range 3 {
			w.next++
			w.publish(calls.Call(w.next).ID)
		}
		w.work()
		all = append(all, w.a)
		w.check()
		if counted, there := x.Opened(); counted > 3 || counted != there {
			t.Errorf("%d segments are open, %d are counted", there, counted)
		}
	}
	for _, a := range all { // those that were closed are opened again
		parts, err := x.Snapshot(w.ctx, a)
		if err != nil || len(parts) != 1 || parts[0].Len() != 3 {
			t.Errorf("%v, %v", parts, err)
		}
	}
	if err := x.LetGo(w.ctx, time.Now().Add(5*time.Minute)); err != nil {
		t.Fatal(err)
	}
	if counted, there := x.Opened(); counted == 0 || counted != there {
		t.Errorf("nobody has asked for five minutes: %d segments are open, %d are counted", there, counted)
	}
	if err := x.LetGo(w.ctx, time.Now().Add(15*time.Minute)); err != nil {
		t.Fatal(err)
	}
	if counted, there := x.Opened(); counted != 0 || there != 0 {
		t.Errorf("nobody has asked for a quarter of an hour: %d segments are open, %d are counted", there, counted)
	}
}

// Blobs of servers that share them are encrypted, wherever they lie.
func TestSharedSegmentsLieEncryptedInTheStoreAndInCopies(t *testing.T) {
	w := newTown(t, true)
	w.begin("a")
	for n := range 8 {
		w.publish(calls.Call(n).ID)
	}
	w.work()
	w.check()
	read := 0
	for _, dir := range []string{filepath.Dir(filepath.Dir(w.blobs.Path("segment/x"))), w.nodes[0].Cache.Dir} {
		for _, data := range foldertest.Contents(t, dir) {
			read++
			for _, word := range []string{"wordCount", "spoken0", "wombat"} {
				if bytes.Contains(data, []byte(word)) {
					t.Errorf("a file has %q", word)
				}
			}
		}
	}
	if read < 2 {
		t.Errorf("%d files", read)
	}
}
