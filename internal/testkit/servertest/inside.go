package servertest

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/call/codec"
	"parley/internal/call/delivery"
	"parley/internal/call/plan"
	"parley/internal/operation/config"
	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/storage/vault"
	"parley/internal/testkit/foldertest"
	"parley/internal/web/auth"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// update runs a transaction directly on the server's database.
func (s *Server) update(t *testing.T, f func(*store.Tx) error) {
	t.Helper()
	if err := s.Server.Store.Update(t.Context(), f); err != nil {
		t.Fatal(err)
	}
}

// Source returns the stored configuration of an item.
func (s *Server) Source(t *testing.T, id string) plan.Source {
	t.Helper()
	var kept []byte
	s.update(t, func(tx *store.Tx) (err error) {
		kept, _, err = tx.Request(media.ID(id))
		return err
	})
	codec, err := codec.New()
	if err != nil {
		t.Fatal(err)
	}
	source, err := codec.DecodeSource(kept)
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// Account creates an account, or returns the existing one with that name.
func (s *Server) Account(t *testing.T, name string) account.Account {
	t.Helper()
	var a account.Account
	s.update(t, func(tx *store.Tx) (err error) {
		if a, err = tx.AccountByName(name); err != nil {
			a, err = tx.CreateAccount(name)
		}
		return err
	})
	return a
}

// SetCompatibility changes the answer format of an account.
func (s *Server) SetCompatibility(t *testing.T, a account.Account, c account.Compatibility) {
	t.Helper()
	s.update(t, func(tx *store.Tx) error { return tx.SetAccountCompatibility(a.ID, c) })
}

func (s *Server) Disable(t *testing.T, a account.Account) {
	t.Helper()
	s.update(t, func(tx *store.Tx) error { return tx.SetAccountDisabled(a.ID, true) })
}

// NewToken creates a token for an account. The zero time means that it does not expire.
func (s *Server) NewToken(
	t *testing.T, a account.Account, expires time.Time, scopes ...account.Scope,
) (secret, id string) {
	t.Helper()
	made := auth.NewSecret()
	s.update(t, func(tx *store.Tx) error {
		token, err := tx.CreateToken(account.Token{Account: a.ID, LastSix: made.LastSix(), Scopes: scopes,
			Expires: expires}, made.Hash())
		id = token.ID
		return err
	})
	return string(made), id
}

func (s *Server) Revoke(t *testing.T, a account.Account, id string) {
	t.Helper()
	s.update(t, func(tx *store.Tx) error { return tx.RevokeToken(a.ID, id) })
}

// As returns a client with a new token for the account with the given name, which it creates if necessary.
func (s *Server) As(t *testing.T, name string, scopes ...account.Scope) *Client {
	t.Helper()
	secret, _ := s.NewToken(t, s.Account(t, name), time.Time{}, scopes...)
	return s.With(secret)
}

// Idle waits until no jobs are waiting or running. It ignores dead jobs.
func (s *Server) Idle(t *testing.T) {
	t.Helper()
	next := patiently()
	for {
		counts, err := s.Server.Store.Queue().Counts(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(counts, func(c job.Count) bool {
			return c.State != job.Dead && c.Jobs > 0
		}) {
			return
		}
		<-next()
	}
}

// Ready returns the answer of /readyz once every check has run and the status is want, or the last answer at the
// timeout.
func (s *Server) Ready(t *testing.T, want int) Answer {
	t.Helper()
	next := patiently()
	for {
		a := s.With("").Get(t, "/readyz")
		if a.Status == want && !bytes.Contains(a.Body, []byte(`"pending"`)) {
			return a
		}
		<-next()
	}
}

// Blobs returns the files of the blob store, including unfinished ones.
func (s *Server) Blobs(t *testing.T) []string {
	dir := s.Server.Settings.BlobDir()
	return slices.DeleteFunc(foldertest.Names(t, dir), func(name string) bool { return name == filepath.Join(dir, "id") })
}

// Recordings returns the files of the blob store, without those that were derived from recordings for players. Where the
// server processes recordings, it waits until they are done: what is being derived has a name of its own only then.
func (s *Server) Recordings(t *testing.T) []string {
	t.Helper()
	if s.Server.Settings.Role != config.RoleAPI {
		s.Idle(t)
	}
	return slices.DeleteFunc(s.Blobs(t), func(file string) bool {
		return slices.ContainsFunc(media.Derived, func(name string) bool { return strings.HasPrefix(filepath.Base(file), name) })
	})
}

// Temporary returns the temporary files of jobs in progress.
func (s *Server) Temporary(t *testing.T) []string {
	return slices.DeleteFunc(foldertest.Names(t, s.Server.Settings.TempDir()), func(name string) bool {
		return filepath.Base(name) == "lock"
	})
}

// Streams returns the plain content of all stored streams, including withheld ones. The keys are the ids of the items
// and the names of the streams, separated by a slash.
func (s *Server) Streams(t *testing.T) map[string][]byte {
	t.Helper()
	contents := map[string][]byte{}
	for name, stream := range s.Kept(t) {
		body, err := vault.Vault{Blobs: s.Server.Blobs}.Open(t.Context(), stream, 0, -1)
		if fault.Is(err, fault.NotFound) && s.Kept(t)[name].Blob != stream.Blob { // replaced or deleted meanwhile
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		contents[name], err = io.ReadAll(body)
		if err = errors.Join(err, body.Close()); err != nil {
			t.Fatal(err)
		}
	}
	return contents
}

// Kept returns the rows of all streams, with the same keys as Streams.
func (s *Server) Kept(t *testing.T) map[string]media.Stream {
	t.Helper()
	rows := map[string]media.Stream{}
	s.update(t, func(tx *store.Tx) error {
		all, err := tx.StreamsAfter("", "", 10_000)
		for _, row := range all {
			streams, err := tx.Kept(row.Media)
			if err != nil {
				return err
			}
			for _, stream := range streams {
				rows[string(row.Media)+"/"+stream.Name] = stream
			}
		}
		return err
	})
	return rows
}

// Seal stores a finished, encrypted item of an account, which has only its document and the stream original-encrypted.
// Before that it had metadata, every value of which was "sesame".
func (s *Server) Seal(t *testing.T, owner string, document, stream []byte) (id string) {
	t.Helper()
	a := s.Account(t, owner)
	blob := "original-encrypted/" + rand.Text()
	if _, err := s.Server.Blobs.Put(t.Context(), blob, bytes.NewReader(stream)); err != nil {
		t.Fatal(err)
	}
	s.update(t, func(tx *store.Tx) error {
		metadata, err := media.ParseMetadata(
			[]byte(`{"externalId":"sesame","title":"sesame","extended":{"sesame":"sesame"}}`))
		if err != nil {
			return err
		}
		m, err := tx.InsertMedia(media.Media{
			Account: a.ID, Status: media.Running, Metadata: metadata, ContentType: "audio/wav", Length: 2 * time.Second,
			Sealing: &media.Sealing{PublicKeyID: "019a9f60-0000-7000-8000-000000000001",
				PublicKeyHash: strings.Repeat("ab", 32)},
		}, []byte("sesame"), nil)
		if err != nil {
			return err
		}
		id = string(m.ID)
		for _, err := range []error{
			tx.SetProgress(m.ID, media.NewProgress("019a9f60-0000-7000-8000-000000000002")),
			tx.SetSearchable(m.ID, true),
			tx.SetSearchFields(m.ID, []string{"extended.sesame"}), tx.SetStatus(m.ID, media.Finished),
		} {
			if err != nil {
				return err
			}
		}
		if _, err := tx.PutStream(m.ID,
			media.Stream{Name: media.OriginalEncrypted, Blob: blob, ContentType: "application/octet-stream",
				Size: int64(len(stream))}); err != nil {
			return err
		}
		_, err = tx.Seal(m.ID, document)
		return err
	})
	return id
}

// DeliveryURL is the destination of Deliver. Its path and its query are secrets.
const DeliveryURL = "https://example.com/potto?token=potto"

// Deliver adds a completed delivery to the log of an item, unless it is already there.
func (s *Server) Deliver(t *testing.T, owner, item, id string) {
	t.Helper()
	a := s.Account(t, owner).ID
	s.update(t, func(tx *store.Tx) error {
		if _, err := tx.Delivery(a, media.ID(item), id); err == nil {
			return nil
		}
		m, err := tx.Media(a, media.ID(item))
		if err != nil {
			return err
		}
		d := delivery.New(&m, 0, delivery.Callback{URL: DeliveryURL, Method: "POST", Type: delivery.Analytics},
			time.Now())
		d.ID, d.State, d.Next, d.Done = id, delivery.Delivered, time.Time{}, time.Now()
		return tx.AddDelivery(d)
	})
}
