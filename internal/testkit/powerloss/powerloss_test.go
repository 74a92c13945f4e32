package powerloss_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"parley/internal/testkit/powerloss"
)

func ExampleTrace_After() {
	trace := powerloss.Trace{
		{Kind: powerloss.Create, Dir: powerloss.Root, Name: "a", File: 2},
		{Kind: powerloss.Write, File: 2, Data: []byte("kept")},
		{Kind: powerloss.Sync, File: 2},
		{Kind: powerloss.Sync, File: powerloss.Root},
		{Kind: powerloss.Write, File: 2, Data: []byte("lost")},
	}
	for _, mood := range []powerloss.Mood{powerloss.None, powerloss.All} {
		left, there := trace.After(powerloss.Loss{Instant: len(trace), Names: mood, Data: mood}).Read("a")
		fmt.Println(string(left), there)
	}
	// Output:
	// kept true
	// lost true
}

// all returns every state that a loss at the end of a trace leaves, as text, for many seeds.
func all(trace powerloss.Trace, show func(*powerloss.Image) string) (states []string) {
	for seed := range uint64(3000) {
		s := show(trace.After(powerloss.NewLoss(len(trace), seed)))
		if !slices.Contains(states, s) {
			states = append(states, s)
		}
	}
	slices.Sort(states)
	return states
}

func names(i *powerloss.Image) string { return fmt.Sprint(i.Paths()) }

func TestNamesAreCertainOnlyAfterTheSyncOfTheirFolder(t *testing.T) {
	mkdir := powerloss.Op{Kind: powerloss.Mkdir, Dir: powerloss.Root, Name: "d", File: 2}
	create := powerloss.Op{Kind: powerloss.Create, Dir: 2, Name: "a", File: 3}
	rename := powerloss.Op{Kind: powerloss.Rename, Dir: 2, Name: "a", File: 3, ToDir: powerloss.Root, To: "b"}
	unlink := powerloss.Op{Kind: powerloss.Unlink, Dir: powerloss.Root, Name: "b"}
	sync := func(file int64) powerloss.Op { return powerloss.Op{Kind: powerloss.Sync, File: file} }
	base := powerloss.Trace{mkdir, create, sync(2), sync(1)}
	then := func(more ...powerloss.Op) powerloss.Trace { return append(base[:len(base):len(base)], more...) }
	for name, c := range map[string]struct {
		trace powerloss.Trace
		want  []string
	}{
		"nothing is synced":             {powerloss.Trace{mkdir, create}, []string{"[]", "[d/a]"}},
		"the file is synced":            {powerloss.Trace{mkdir, create, sync(3)}, []string{"[]", "[d/a]"}},
		"its folder is not":             {powerloss.Trace{mkdir, sync(1), create}, []string{"[]", "[d/a]"}},
		"the folder's name is not":      {powerloss.Trace{mkdir, create, sync(2)}, []string{"[]", "[d/a]"}},
		"all is synced":                 {powerloss.Trace{mkdir, create, sync(2), sync(1)}, []string{"[d/a]"}},
		"a rename":                      {then(rename), []string{"[b d/a]", "[b]", "[d/a]"}},
		"a rename with its new folder":  {then(rename, sync(1)), []string{"[b d/a]", "[b]"}},
		"a rename with its old folder":  {then(rename, sync(2)), []string{"[b]"}},
		"a removal":                     {then(rename, sync(1), sync(2), unlink), []string{"[]", "[b]"}},
		"a removal that is synced":      {then(rename, unlink, sync(1), sync(2)), []string{"[]"}},
		"a removal, a folder elsewhere": {then(rename, sync(1), unlink, sync(2)), []string{"[]", "[b]"}},
	} {
		if got := all(c.trace, names); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestAJournalKeepsTheOrderOfNames(t *testing.T) {
	var trace powerloss.Trace
	for n := range int64(4) {
		trace = append(trace, powerloss.Op{Kind: powerloss.Create, Dir: powerloss.Root, Name: fmt.Sprint(n), File: 2 + n})
		if n == 1 {
			trace = append(trace, powerloss.Op{Kind: powerloss.Sync, File: 2 + n}) // commits the journal
		}
	}
	seen := map[string]bool{}
	for seed := range uint64(100) {
		seen[names(trace.After(powerloss.Loss{Instant: len(trace), Seed: seed, Names: powerloss.Journal}))] = true
	}
	if len(seen) != 3 || !seen["[0 1]"] || !seen["[0 1 2]"] || !seen["[0 1 2 3]"] {
		t.Errorf("%v", seen)
	}
}

func TestWritesThatWereNotSyncedAreTornAndOthersAreNot(t *testing.T) {
	const size = 16 << 10
	trace := powerloss.Trace{
		{Kind: powerloss.Create, Dir: powerloss.Root, Name: "a", File: 2}, {Kind: powerloss.Sync, File: powerloss.Root},
		{Kind: powerloss.Write, File: 2, Data: bytes.Repeat([]byte{'x'}, size)}, {Kind: powerloss.Sync, File: 2},
		{Kind: powerloss.Write, File: 2, Offset: size / 2, Data: bytes.Repeat([]byte{'y'}, size)},
	}
	seen := map[string]bool{}
	for seed := range uint64(300) {
		data, there := trace.After(powerloss.NewLoss(len(trace), seed)).Read("a")
		if !there || len(data) < size || !bytes.Equal(data[:size/2], bytes.Repeat([]byte{'x'}, size/2)) {
			t.Fatalf("seed %d lost what was synced: %v, %d bytes", seed, there, len(data))
		}
		for at := size / 2; at < len(data); at += 512 {
			piece := data[at:min(at+512, len(data))]
			if !bytes.Equal(piece, bytes.Repeat(piece[:1], len(piece))) || piece[0] == 0 && at < size {
				t.Fatalf("seed %d, offset %d: %q", seed, at, piece)
			}
			seen[fmt.Sprint(at, piece[0])] = true
		}
		seen[fmt.Sprint(len(data))] = true
	}
	for at := size / 2; at < size; at += 512 {
		if !seen[fmt.Sprint(at, 'x')] || !seen[fmt.Sprint(at, 'y')] {
			t.Errorf("the sector at %d always survives, or never", at)
		}
		if last := at + size/2; !seen[fmt.Sprint(last, 0)] || !seen[fmt.Sprint(last, 'y')] {
			t.Errorf("the sector at %d of what the file grew is always there, or never zero", last)
		}
	}
	if !seen[fmt.Sprint(size)] || !seen[fmt.Sprint(size*3/2)] {
		t.Error("the file always grows, or never")
	}
}

func TestALossIsThatOfItsSeed(t *testing.T) {
	var trace powerloss.Trace
	for n := range int64(40) {
		trace = append(trace, powerloss.Op{Kind: powerloss.Create, Dir: powerloss.Root, Name: fmt.Sprint(n), File: 2 + n},
			powerloss.Op{Kind: powerloss.Write, File: 2 + n, Data: make([]byte, 9000)})
	}
	show := func(i *powerloss.Image) (s string) {
		for _, path := range i.Paths() {
			data, _ := i.Read(path)
			s += fmt.Sprint(path, len(data), " ")
		}
		return s
	}
	for seed := range uint64(50) {
		loss := powerloss.NewLoss(60, seed)
		if a, b := show(trace.After(loss)), show(trace.After(loss)); a != b {
			t.Fatalf("%v: %s and %s", loss, a, b)
		}
	}
}
