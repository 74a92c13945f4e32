package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"parley/internal/storage/blob"
	"parley/internal/storage/blob/disk"
	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/testkit/verify"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

func blobs(t testing.TB) blob.Store {
	t.Helper()
	s, err := disk.Open(disk.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// noise returns incompressible bytes.
func noise(size int) []byte {
	b := make([]byte, size)
	var r = rand.NewChaCha8([32]byte{byte(size)})
	r.Read(b)
	return b
}

// recording is one media item with an original.
type recording struct {
	account, key string
	content      []byte
}

// furnished returns a source with recordings of several sizes: large, small and empty.
func furnished(t testing.TB) (Source, []recording) {
	t.Helper()
	s := Source{Store: storetest.SQLite(t), Blobs: blobs(t), Temp: t.TempDir(), Program: "test"}
	var all []recording
	for i, size := range []int{0, 1, 20_000, small, small + 1} {
		r := recording{fmt.Sprint("account-", i), fmt.Sprint("original/", i), noise(size)}
		m := storetest.Media(t, s.Store, storetest.Account(t, s.Store, r.account).ID)
		put(t, s.Blobs, r.key, r.content)
		storetest.Update(t, s.Store, func(tx *store.Tx) error {
			_, err := tx.PutStream(m.ID, media.Stream{Name: media.Original, Blob: r.key, Size: int64(size)})
			return err
		})
		all = append(all, r)
	}
	return s, all
}

func put(t testing.TB, to blob.Store, key string, content []byte) {
	t.Helper()
	if _, err := to.Put(t.Context(), key, bytes.NewReader(content)); err != nil {
		t.Fatal(err)
	}
}

func silent(int64, int64) {}

func written(t testing.TB, s Source) ([]byte, Manifest) {
	t.Helper()
	var file bytes.Buffer
	m, err := Write(t.Context(), &file, s, silent)
	if err != nil {
		t.Fatal(err)
	}
	return file.Bytes(), m
}

func target(t testing.TB) Target { return Target{Blobs: blobs(t)}.fresh(t) }

// fresh returns a target with the same blobs and a new database.
func (to Target) fresh(t testing.TB) Target {
	return Target{Database: filepath.Join(t.TempDir(), "parley.db"), Blobs: to.Blobs, Temp: t.TempDir()}
}

// read returns the bytes of a blob in a target.
func read(t testing.TB, from blob.Store, key string) []byte {
	t.Helper()
	r, err := from.Open(t.Context(), key, 0, -1)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	content, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestWhatIsReadIsWhatWasWritten(t *testing.T) {
	s, all := furnished(t)
	var last [2]int64
	var file bytes.Buffer
	wrote, err := Write(t.Context(), &file, s, func(done, total int64) { last = [2]int64{done, total} })
	if err != nil {
		t.Fatal(err)
	}
	if last[0] != last[1] || last[0] < wrote.Bytes {
		t.Errorf("progress ended with %v", last)
	}
	to := target(t)
	m, err := Read(t.Context(), &file, to)
	if err != nil {
		t.Fatal(err)
	}
	if m.Blobs != len(all) || m.Missing != 0 || m.Program != "test" || m.Sums != wrote.Sums {
		t.Errorf("manifest: %+v", m)
	}
	for _, r := range all {
		if !bytes.Equal(read(t, to.Blobs, r.key), r.content) {
			t.Errorf("blob %s of %d bytes is not the same", r.key, len(r.content))
		}
	}
	restored := storetest.Open(t, "sqlite://"+to.Database)
	if err := restored.View(t.Context(), func(tx *store.Tx) error {
		for _, r := range all {
			if _, err := tx.AccountByName(r.account); err != nil {
				t.Error(err)
			}
		}
		n, _, err := tx.StreamTotals()
		if n != len(all) {
			t.Errorf("%d streams", n)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(s.Temp); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if info, err := os.Stat(to.Database); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode of the database: %v, %v", info.Mode(), err)
	}
}

// onOpen calls a function before the first blob is opened.
type onOpen struct {
	blob.Store
	first func()
}

func (o *onOpen) Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	if first := o.first; first != nil {
		o.first = nil
		first()
	}
	return o.Store.Open(ctx, key, offset, length)
}

func TestADeletionDuringTheBackupIsNoted(t *testing.T) {
	s, all := furnished(t)
	gone := []string{all[0].key, all[3].key} // the one about to be opened, and a later one
	plain := s.Blobs
	s.Blobs = &onOpen{plain, func() {
		for _, key := range gone {
			if err := plain.Delete(t.Context(), key); err != nil {
				t.Error(err)
			}
		}
	}}
	file, m := written(t, s)
	if m.Missing != 2 || m.Blobs != len(all)-2 || strings.Join(m.Lost, " ") != strings.Join(gone, " ") {
		t.Errorf("manifest: %+v", m)
	}
	to := target(t)
	if _, err := Read(t.Context(), bytes.NewReader(file), to); err != nil {
		t.Fatal(err)
	}
	if _, err := to.Blobs.Stat(t.Context(), gone[1]); !fault.Is(err, fault.NotFound) {
		t.Errorf("the deleted blob: %v", err)
	}
	if !bytes.Equal(read(t, to.Blobs, all[4].key), all[4].content) {
		t.Error("a blob after the missing one is not the same")
	}
}

func TestABlobThatChangesWhileItIsCopiedEndsTheBackup(t *testing.T) {
	for _, size := range []int{1, 50_000} {
		s, all := furnished(t)
		plain := s.Blobs
		put(t, plain, all[0].key, noise(20_000))
		s.Blobs = &onOpen{plain, func() { put(t, plain, all[0].key, noise(size)) }}
		_, err := Write(t.Context(), io.Discard, s, silent)
		if !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), all[0].key) {
			t.Errorf("changed to %d bytes: %v", size, err)
		}
	}
}

func TestWhatComesAfterTheSnapshotIsNotInTheBackup(t *testing.T) {
	s, all := furnished(t)
	plain := s.Blobs
	s.Blobs = &onOpen{plain, func() {
		put(t, plain, "original/late", []byte("late"))
		m := storetest.Media(t, s.Store, storetest.Account(t, s.Store, "late").ID)
		storetest.Update(t, s.Store, func(tx *store.Tx) error {
			_, err := tx.PutStream(m.ID, media.Stream{Name: media.Original, Blob: "original/late", Size: 4})
			return err
		})
	}}
	_, m := written(t, s)
	if m.Blobs != len(all) || m.Missing != 0 {
		t.Errorf("manifest: %+v", m)
	}
}

func TestPostgreSQLIsReferredToItsOwnTools(t *testing.T) {
	_, err := Write(t.Context(), io.Discard, Source{Store: storetest.Postgres(t), Blobs: blobs(t), Temp: t.TempDir()},
		silent)
	if !fault.Is(err, fault.Unsupported) || !strings.Contains(err.Error(), "pg_dump") {
		t.Error(err)
	}
}

func TestATruncatedBackupIsRefusedWhereverItEnds(t *testing.T) {
	s, _ := furnished(t)
	file, _ := written(t, s)
	cuts := []int{0, 1, 10, len(file) - 1, len(file) - 4, len(file) - 5}
	for i := 1; i < 24; i++ {
		cuts = append(cuts, i*len(file)/24)
	}
	to := target(t)
	for _, cut := range cuts {
		if _, err := Read(t.Context(), bytes.NewReader(file[:cut]), to.fresh(t)); !fault.Is(err, fault.Invalid) {
			t.Errorf("cut at %d of %d: %v", cut, len(file), err)
		}
	}
}

func TestADamagedBackupIsRefusedWhereverItIs(t *testing.T) {
	s, _ := furnished(t)
	file, _ := written(t, s)
	to := target(t)
	for i := range 48 {
		spoiled := bytes.Clone(file)
		at := i * len(file) / 48
		spoiled[at] ^= 0x40
		if _, err := Read(t.Context(), bytes.NewReader(spoiled), to.fresh(t)); !fault.Is(err, fault.Invalid) {
			t.Errorf("a bit at %d of %d: %v", at, len(file), err)
		}
	}
}

// entries are the entries of an archive, in order.
type entries []entry

type entry struct {
	header  tar.Header
	content []byte
}

func unpacked(t testing.TB, file []byte) (all entries) {
	t.Helper()
	plain, err := zstd.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	for r := tar.NewReader(plain); ; {
		h, err := r.Next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, entry{*h, content})
	}
}

func (all entries) packed(t testing.TB) []byte {
	t.Helper()
	var file bytes.Buffer
	w := tar.NewWriter(&file)
	for _, e := range all {
		e.header.Size = int64(len(e.content))
		if err := w.WriteHeader(&e.header); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(e.content); err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	return file.Bytes()
}

func (all entries) find(name string) int {
	for i, e := range all {
		if e.header.Name == name {
			return i
		}
	}
	panic(name)
}

func TestWhatWeWouldNotWriteIsNotRead(t *testing.T) {
	s, _ := furnished(t)
	file, _ := written(t, s)
	rename := func(from, to string) func(entries) entries {
		return func(all entries) entries { all[all.find(from)].header.Name = to; return all }
	}
	shared := target(t)
	for name, spoil := range map[string]func(entries) entries{
		"a path out of the folder": rename("blobs/original/2", "blobs/../../escaped"),
		"an absolute path":         rename("blobs/original/2", "/escaped"),
		"a path that doubles back": rename("blobs/original/2", "blobs/original/../../../escaped"),
		"an empty key":             rename("blobs/original/2", "blobs//x"),
		"a backslash":              rename("blobs/original/2", `blobs/..\escaped`),
		"another database name":    rename("parley.db", "../parley.db"),
		"a link": func(all entries) entries {
			i := all.find("blobs/original/0")
			all[i].header.Typeflag, all[i].header.Linkname = tar.TypeSymlink, "/etc/passwd"
			return all
		},
		"a folder": func(all entries) entries {
			i := all.find("blobs/original/0")
			all[i].header.Typeflag = tar.TypeDir
			return all
		},
		"another recording": func(all entries) entries {
			all[all.find("blobs/original/2")].content[7] ^= 1
			return all
		},
		"a recording left out": func(all entries) entries {
			i := all.find("blobs/original/2")
			return append(all[:i:i], all[i+1:]...)
		},
		"a recording twice": func(all entries) entries {
			i := all.find("blobs/original/2")
			return append(all[:i:i], append(entries{all[i]}, all[i:]...)...)
		},
		"recordings exchanged": func(all entries) entries {
			i, j := all.find("blobs/original/1"), all.find("blobs/original/2")
			all[i].content, all[j].content = all[j].content, all[i].content
			return all
		},
		"no manifest": func(all entries) entries { return all[:len(all)-1] },
		"a manifest that says so": func(all entries) entries {
			all[len(all)-1].content = []byte(`{"blobs":5}`)
			return all
		},
		"a manifest of no JSON": func(all entries) entries { all[len(all)-1].content = []byte(`{`); return all },
		"something more":        func(all entries) entries { return append(all, all[0]) },
		"no database":           func(all entries) entries { return append(all[:1:1], all[2:]...) },
		"a database that is none": func(all entries) entries {
			all[1].content = noise(len(all[1].content))
			return all
		},
		"checksums without end": func(all entries) entries {
			i := all.find("SHA256SUMS")
			all[i].content = append(all[i].content, noise(1<<20)...)
			return all
		},
		"checksums that end early": func(all entries) entries {
			i := all.find("SHA256SUMS")
			all[i].content = all[i].content[:70]
			return all
		},
		"nothing": func(entries) entries { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			to := shared.fresh(t)
			_, err := unpack(t.Context(), bytes.NewReader(spoil(unpacked(t, file)).packed(t)), to)
			if !fault.Is(err, fault.Invalid) {
				t.Errorf("got %v", err)
			}
			for _, dir := range []string{filepath.Dir(to.Database), filepath.Dir(filepath.Dir(to.Database))} {
				if _, err := os.Lstat(filepath.Join(dir, "escaped")); err == nil {
					t.Errorf("a file has escaped to %s", dir)
				}
			}
		})
	}
}

func TestTheChecksumErrorNamesTheEntry(t *testing.T) {
	s, _ := furnished(t)
	file, _ := written(t, s)
	all := unpacked(t, file)
	all[all.find("blobs/original/2")].content[7] ^= 1
	_, err := unpack(t.Context(), bytes.NewReader(all.packed(t)), target(t))
	if err == nil || !strings.Contains(err.Error(), `"blobs/original/2"`) {
		t.Error(err)
	}
}

func TestABackupOfANewerFormatSaysSo(t *testing.T) {
	s, _ := furnished(t)
	file, _ := written(t, s)
	all := unpacked(t, file)
	all[0].content = []byte("parley backup 2\n")
	_, err := unpack(t.Context(), bytes.NewReader(all.packed(t)), target(t))
	if !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), "newer") {
		t.Error(err)
	}
}

// TestBackupsOfVersion1StayReadable also migrates the database in the backup.
func TestBackupsOfVersion1StayReadable(t *testing.T) {
	s := Source{Store: storetest.SQLite(t), Blobs: blobs(t), Temp: t.TempDir(), Program: "1"}
	m := storetest.Media(t, s.Store, storetest.Account(t, s.Store, "acme").ID)
	put(t, s.Blobs, "original/1", []byte("a recording"))
	storetest.Update(t, s.Store, func(tx *store.Tx) error {
		_, err := tx.PutStream(m.ID, media.Stream{Name: media.Original, Blob: "original/1", Size: 11})
		return errors.Join(err, tx.SetProgress(m.ID, media.NewProgress("job")),
			tx.SetProblems(m.ID, []fault.Problem{{Code: 1, Message: "m"}}))
	})
	present, _ := written(t, s)
	to := target(t)
	if _, err := Read(t.Context(), bytes.NewReader(verify.Golden(t, "backup", 1, present)), to); err != nil {
		t.Fatal(err)
	}
	if got := read(t, to.Blobs, "original/1"); string(got) != "a recording" {
		t.Errorf("the recording is %q", got)
	}
	upgraded := storetest.Open(t, "sqlite://"+to.Database)
	storetest.Update(t, upgraded, func(tx *store.Tx) error {
		a, err := tx.AccountByName("acme")
		if err != nil {
			return err
		}
		all, err := tx.ListMedia(a.ID, store.MediaFilter{})
		if err != nil || len(all) != 1 {
			t.Fatalf("%d recordings (%v)", len(all), err)
		}
		p, err := tx.Progress(a.ID, all[0].ID)
		if err != nil || p.Job != "job" || len(p.Tasks) != len(media.Steps) || len(all[0].Problems) != 1 ||
			all[0].Problems[0].Message != "m" {
			t.Errorf("%+v, %+v (%v)", all[0], p, err)
		}
		return nil
	})
}

func TestABackupOfBeforeTheFirstVersionIsRefused(t *testing.T) {
	to := target(t)
	storetest.Unversioned(t, "sqlite://"+to.Database)
	err := (&extraction{ctx: t.Context(), target: to}).check()
	if !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), "before version 1") {
		t.Error(err)
	}
}

func TestTheContextEndsWritingAndReading(t *testing.T) {
	s, _ := furnished(t)
	file, _ := written(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := Write(ctx, io.Discard, s, func(done, _ int64) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Errorf("writing: %v", err)
	}
	if _, err := Read(ctx, bytes.NewReader(file), target(t)); !errors.Is(err, context.Canceled) {
		t.Errorf("reading: %v", err)
	}
}

// full is a blob store without free space.
type full struct{ blob.Store }

func (full) Put(context.Context, string, io.Reader) (int64, error) {
	return 0, fault.New(fault.Unavailable, fault.CodeUnavailable, "no room")
}

func TestAFullDiskIsNotTheArchivesFault(t *testing.T) {
	s, _ := furnished(t)
	file, _ := written(t, s)
	to := target(t)
	to.Blobs = full{to.Blobs}
	if _, err := Read(t.Context(), bytes.NewReader(file), to); !fault.Is(err, fault.Unavailable) {
		t.Error(err)
	}
}

// sealed returns an archive of some contents, with matching checksums and manifest.
func sealed(t testing.TB, database []byte, recordings map[string][]byte) entries {
	t.Helper()
	list, err := newSums(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer list.close()
	var all entries
	add := func(name string, content []byte) {
		all = append(all, entry{tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o600}, content})
	}
	m := Manifest{Database: int64(len(database)), Blobs: len(recordings)}
	add(formatEntry, []byte(format))
	add(databaseEntry, database)
	for key, content := range recordings {
		add(blobFolder+key, content)
		m.Bytes += int64(len(content))
	}
	for _, e := range all {
		sum := sha256.Sum256(e.content)
		list.add(sum[:], e.header.Name)
	}
	lines, err := list.list()
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(lines)
	if err != nil {
		t.Fatal(err)
	}
	add(sumsEntry, text)
	m.Sums = list.total()
	manifest, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	add(manifestEntry, manifest)
	return all
}

func TestADatabaseThatNamesOtherRecordingsIsRefused(t *testing.T) {
	s, all := furnished(t)
	file, _ := written(t, s)
	database := unpacked(t, file)[1].content
	recordings := map[string][]byte{}
	for _, r := range all {
		recordings[r.key] = r.content
	}
	to := target(t)
	if _, err := unpack(t.Context(), bytes.NewReader(sealed(t, database, recordings).packed(t)), to); err != nil {
		t.Fatalf("the whole archive: %v", err)
	}
	delete(recordings, all[1].key)
	_, err := unpack(t.Context(), bytes.NewReader(sealed(t, database, recordings).packed(t)), to.fresh(t))
	if !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), "lists 5 recordings") {
		t.Errorf("a recording less: %v", err)
	}
	_, err = unpack(t.Context(), bytes.NewReader(sealed(t, noise(9000), recordings).packed(t)), to.fresh(t))
	if !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), "database") {
		t.Errorf("no database: %v", err)
	}
}

// nowhere accepts every blob and discards it.
type nowhere struct{ blob.Store }

func (nowhere) Put(_ context.Context, key string, r io.Reader) (int64, error) {
	if blob.CheckKey(key) != nil {
		panic("a key that is none: " + key)
	}
	return io.Copy(io.Discard, r)
}

func FuzzUnpackNeverPanicsAndBelievesNothing(f *testing.F) {
	small := sealed(f, []byte("none"), map[string][]byte{"original/1": []byte("sound"), "original/2": nil})
	f.Add(small.packed(f))
	f.Add(small[:2].packed(f))
	f.Add([]byte{})
	small[2].header.Name = "blobs/../original"
	f.Add(small.packed(f))
	dir := f.TempDir()
	path := filepath.Join(dir, "parley.db")
	f.Fuzz(func(t *testing.T, archive []byte) {
		defer os.Remove(path)
		// The fuzzer cannot produce an input with a valid database.
		if m, err := unpack(t.Context(), bytes.NewReader(archive), Target{path, nowhere{}, dir}); err == nil {
			t.Errorf("taken: %+v", m)
		}
	})
}
