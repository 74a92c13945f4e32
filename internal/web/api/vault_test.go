package api_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"parley/internal/operation/config"
	"parley/internal/operation/server"
	"parley/internal/storage/store"
	"parley/internal/testkit/foldertest"
	"parley/internal/testkit/servertest"
	"parley/internal/words/cipher"
	"parley/internal/words/media"
)

// long is a recording that spans several packages of 64 KiB.
var long = servertest.File("media", "call.wav", servertest.Tone(13, 1))

func TestRecordingsLieInStorageUnderKeysOfTheirOwn(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	s.Submit(t, long)
	s.Submit(t, long)
	sum := sha256.Sum256(long.Body)
	var lying [][]byte
	for _, file := range s.Blobs(t) {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(body, long.Body[100:132]) || bytes.Contains(body, []byte("WAVE")) ||
			len(body) <= len(long.Body) {
			t.Errorf("%d bytes lie as they came", len(body))
		}
		lying = append(lying, body)
	}
	if len(lying) != 2 || bytes.Equal(lying[0], lying[1]) {
		t.Errorf("%d files, perhaps the same", len(lying))
	}
	for name, row := range s.Kept(t) {
		id, _, _ := strings.Cut(name, "/")
		err := s.Server.Store.View(t.Context(), func(tx *store.Tx) error {
			m, err := tx.MediaByID(media.ID(id))
			if row.Size != int64(len(long.Body)) || row.Key == "" || m.Size != row.Size ||
				m.SHA256 != hex.EncodeToString(sum[:]) {
				t.Errorf("%s has %d bytes, the item %d with SHA-256 %s", name, row.Size, m.Size, m.SHA256)
			}
			if stored, err2 := tx.Storage(m.Account); err2 != nil || stored != 2*row.Size {
				t.Errorf("the account stores %d bytes, %v", stored, err2)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestRangesAreRightAtTheBordersOfPackages(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	path := "/v3/media/" + s.Submit(t, long) + "/streams/original"
	size := len(long.Body)
	all := ok(t, s.Get(t, path))
	if !bytes.Equal(all.Body, long.Body) || all.Header.Get("Content-Length") != strconv.Itoa(size) {
		t.Fatalf("%d bytes, %v", len(all.Body), all.Header)
	}
	for _, r := range [][2]int{{0, 0}, {65535, 65536}, {65536, 65536}, {65535, 65535}, {65536, 131071}, {1, 131072},
		{131071, size - 1}, {size - 1, size - 1}, {196608, size - 1}} {
		header := fmt.Sprintf("bytes=%d-%d", r[0], r[1])
		part := s.Get(t, path, "Range", header, "If-Range", all.Header.Get("ETag"))
		if part.Status != 206 || !bytes.Equal(part.Body, long.Body[r[0]:r[1]+1]) ||
			part.Header.Get("Content-Range") != fmt.Sprintf("bytes %d-%d/%d", r[0], r[1], size) ||
			part.Header.Get("Content-Length") != strconv.Itoa(r[1]-r[0]+1) {
			t.Errorf("%s: HTTP %d, %d bytes, %v", header, part.Status, len(part.Body), part.Header)
		}
	}
	refused(t, s.Get(t, path, "Range", fmt.Sprintf("bytes=%d-", size)), 416, 95020)
	if tail := s.Get(t, path, "Range", "bytes=-70000"); tail.Status != 206 ||
		!bytes.Equal(tail.Body, long.Body[size-70000:]) {
		t.Errorf("the last 70000 bytes: HTTP %d, %d bytes", tail.Status, len(tail.Body))
	}
}

// undress stores the bytes of all streams unencrypted, as servers did before streams had keys.
func undress(t *testing.T, s *servertest.Server) {
	t.Helper()
	contents := s.Streams(t)
	for name, row := range s.Kept(t) {
		id, _, _ := strings.Cut(name, "/")
		if _, err := s.Server.Blobs.Put(t.Context(), row.Blob, bytes.NewReader(contents[name])); err != nil {
			t.Fatal(err)
		}
		row.Key = ""
		if err := s.Server.Store.Update(t.Context(), func(tx *store.Tx) error {
			_, err := tx.PutStream(media.ID(id), row)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRecordingsWithoutAKeyAreServedAndProcessed(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	id := s.Submit(t, long)
	undress(t, s)
	path := "/v3/media/" + id + "/streams/original"
	if part := s.Get(t, path, "Range", "bytes=65530-65540"); part.Status != 206 ||
		!bytes.Equal(part.Body, long.Body[65530:65541]) {
		t.Errorf("HTTP %d, %d bytes", part.Status, len(part.Body))
	}
	s.Stop()

	again := servertest.Start(t, servertest.Options{Dir: s.Dir})
	if item := again.Await(t, id); item["status"] != "finished" || item["length"] != 13000.0 {
		t.Errorf("%v", item)
	}
	if a := ok(t, again.Get(t, path)); !bytes.Equal(a.Body, long.Body) {
		t.Errorf("%d bytes", len(a.Body))
	}
}

func TestADamagedRecordingIsNeverServedAsAWholeOne(t *testing.T) {
	t.Parallel()
	book := &logbook{}
	s := servertest.Start(t, servertest.Options{Settings: only, Log: book})
	path := "/v3/media/" + s.Submit(t, long) + "/streams/original"
	for _, file := range s.Blobs(t) {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		body[150_000] ^= 1
		if err := os.WriteFile(file, body, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := download(t.Context(), s, path)
	if !errors.Is(err, io.ErrUnexpectedEOF) || len(got) != 131_072 || !bytes.Equal(got, long.Body[:len(got)]) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if part := s.Get(t, path, "Range", "bytes=0-1000"); part.Status != 206 ||
		!bytes.Equal(part.Body, long.Body[:1001]) {
		t.Errorf("what is not damaged: HTTP %d, %d bytes", part.Status, len(part.Body))
	}
	until(t, "the log says so", func() bool {
		book.mu.Lock()
		defer book.mu.Unlock()
		return strings.Contains(book.text.String(), "stored bytes are damaged")
	})
}

// download reads a body until it ends or fails.
func download(ctx context.Context, s *servertest.Server, path string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, "GET", s.Base+path, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+s.Token)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	return io.ReadAll(response.Body)
}

// keyFile writes a file of storage keys and returns its name and the ids of the keys.
func keyFile(t *testing.T, lines ...string) (name string, ids []string) {
	t.Helper()
	text := []byte(strings.Join(lines, "\n"))
	ring, err := cipher.ParseRing(text)
	if err != nil {
		t.Fatal(err)
	}
	name = filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return name, ring.IDs()
}

func TestKeysOfRecordingsAreInNoFileWhereThereIsAStorageKey(t *testing.T) {
	t.Parallel()
	file, _ := keyFile(t, cipher.NewStorageKey())
	for _, with := range []string{"", file} {
		s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) { c.StorageKeyFile = with }})
		id := s.Submit(t, recording)
		s.Await(t, id)
		s.Idle(t)
		key := s.Kept(t)[id+"/original"].Key
		if n := len(foldertest.Holding(t, s.Dir, []byte(key))); key == "" || with == "" && n == 0 || with != "" && n != 0 {
			t.Errorf("%d files have the key, with key file %q", n, with)
		}
	}
}

func TestAServerNeedsTheStorageKeysThatItsRecordingsAreKeptUnder(t *testing.T) {
	t.Parallel()
	first, second := cipher.NewStorageKey(), cipher.NewStorageKey()
	file, ids := keyFile(t, first)
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) { c.StorageKeyFile = file }})
	id := s.Submit(t, recording)
	s.Await(t, id)
	s.Stop()

	other, _ := keyFile(t, second)
	settings := servertest.Settings(s.Dir)
	for _, settings.StorageKeyFile = range []string{"", other} {
		opened, err := server.Open(t.Context(), server.Config{Settings: settings, Log: slog.New(slog.DiscardHandler)})
		if err == nil || !strings.Contains(err.Error(), ids[0]) ||
			!strings.Contains(err.Error(), "--storage-key-file") {
			t.Errorf("with %q: %v", settings.StorageKeyFile, err)
		}
		if err == nil {
			opened.Close()
		}
	}
	settings.StorageKeyFile = filepath.Join(t.TempDir(), "none")
	if _, err := server.Open(t.Context(),
		server.Config{Settings: settings, Log: slog.New(slog.DiscardHandler)}); err == nil ||
		!strings.Contains(err.Error(), "storage-key make") {
		t.Errorf("with a file that is not there: %v", err)
	}

	both, _ := keyFile(t, second, first)
	again := servertest.Start(t, servertest.Options{Dir: s.Dir, Settings: func(c *config.Settings) {
		c.StorageKeyFile = both
	}})
	if a := ok(t, again.Get(t, "/v3/media/"+id+"/streams/original")); !bytes.Equal(a.Body, recording.Body) {
		t.Errorf("%d bytes", len(a.Body))
	}
}

func TestTheKeyOfADeletedRecordingIsInNoFile(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, recording)
	s.Await(t, id)
	key := []byte(s.Kept(t)[id+"/original"].Key)
	if len(foldertest.Holding(t, s.Dir, key)) == 0 {
		t.Fatal("no file has the key before")
	}
	if a := s.Do(t, "DELETE", "/v3/media/"+id, nil); a.Status != 204 {
		t.Fatal(a)
	}
	s.Idle(t)
	scrubbed(t, s)
	if n := len(foldertest.Holding(t, s.Dir, key)); n != 0 {
		t.Errorf("%d files have the key", n)
	}
}
