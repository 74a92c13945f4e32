package api_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/internal/flow/pipeline"
	"parley/internal/operation/config"
	"parley/internal/storage/store"
	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// secret is a word in metadata that must not be found anywhere after its item is deleted.
const secret = "zanzibar4711"

// TestNothingStaysOfWhatIsDeleted deletes items in all states in every possible way, and searches every cell of every
// database and every file.
func TestNothingStaysOfWhatIsDeleted(t *testing.T) {
	t.Parallel()
	for name, way := range map[string]struct {
		states []string
		delete func(t *testing.T, s *servertest.Server, owner account.ID, ids []string)
	}{
		"by its owner":     {[]string{"finished", "failed", "rejected", "running", "scheduled"}, deleteEach},
		"by time":          {[]string{"finished", "failed", "rejected"}, expireAll},
		"with its account": {[]string{"finished", "failed", "rejected", "running", "scheduled"}, deleteAccount},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gate := servertest.NewGate()
			s := servertest.Start(t, servertest.Options{Recognizer: gate, Settings: func(c *config.Settings) {
				near(c)
				c.Workers = 1
			}})
			firm := s.As(t, "firm", account.AllScopes...)
			items := populate(t, s, firm, gate, way.states)
			var ids []string
			for state, id := range items {
				if got := ok(t, firm.Get(t, "/v3/media/"+id)).JSON(t)["status"]; got != state {
					t.Fatalf("the %s item is %v", state, got)
				}
				ids = append(ids, id)
			}
			if len(traces(t, s, secret)) == 0 {
				t.Fatal("the metadata of items that are there cannot be found")
			}
			way.delete(t, s, s.Account(t, "firm").ID, ids)
			s.Idle(t)
			for _, word := range append(ids, secret) {
				if found := traces(t, s, word); len(found) > 0 {
					t.Errorf("%s stays in %v", word, found)
				}
			}
			scrubbed(t, s)
			cleared(t, s)
		})
	}
}

// populate creates an item in each state, and returns their ids by state.
func populate(
	t *testing.T, s *servertest.Server, c *servertest.Client, gate *servertest.Gate, states []string,
) map[string]string {
	t.Helper()
	items := map[string]string{}
	missing := elsewhere(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) })
	for _, state := range states {
		part := recording
		switch state {
		case "finished":
			part = servertest.File("media", "x.wav", silence())
		case "failed":
			part = servertest.File("media", "x", []byte("no recording"))
		case "rejected":
			part = from(missing)
		}
		metadata := servertest.Field("metadata", fmt.Sprintf(`{"title":%q,"externalId":%q}`, "Call of "+secret, secret))
		body, contentType := servertest.Form(t, part, metadata)
		id := ok(t, c.Do(t, "POST", "/v3/media", bytes.NewReader(body), "Content-Type", contentType, "Idempotency-Key",
			state)).JSON(t)["mediaId"].(string)
		items[state] = id
		switch state {
		case "running":
			<-gate.Entered
		case "finished", "failed", "rejected":
			c.Await(t, id)
		}
	}
	return items
}

func deleteEach(t *testing.T, s *servertest.Server, _ account.ID, ids []string) {
	firm := s.As(t, "firm", account.AllScopes...)
	for _, id := range ids {
		if a := firm.Do(t, "DELETE", "/v3/media/"+id, nil); a.Status != 204 {
			t.Errorf("DELETE: %s", a)
		}
	}
}

func expireAll(t *testing.T, s *servertest.Server, _ account.ID, ids []string) {
	err := s.Server.Store.Update(t.Context(), func(tx *store.Tx) error {
		for _, id := range ids {
			if err := tx.SetTimeToLive(media.ID(id), time.Microsecond); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Server.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func deleteAccount(t *testing.T, s *servertest.Server, owner account.ID, _ []string) {
	if err := pipeline.DeleteAccount(t.Context(), s.Server.Store, owner); err != nil {
		t.Fatal(err)
	}
}

// scrubbed scrubs the main database, as the server does every minute, and searches all bytes of its files for the
// secret.
func scrubbed(t *testing.T, s *servertest.Server) {
	t.Helper()
	for s.Server.Store.Scrub(t.Context()) != nil { // another transaction is reading
		if t.Context().Err() != nil {
			t.Fatal("the database is never scrubbed")
		}
	}
	files, err := filepath.Glob(filepath.Join(s.Dir, "parley.db*"))
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(bytes.ToLower(content), []byte(secret)) {
			t.Errorf("%s stays in the bytes of %s", secret, filepath.Base(file))
		}
	}
}

// databases runs f on the databases in the data directory that match a pattern; there must be at least one.
func databases(t *testing.T, s *servertest.Server, pattern string, f func(name string, db *sql.DB)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(s.Dir, pattern))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		db, err := sql.Open("sqlite", "file:"+file+"?mode=ro")
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		f(filepath.Base(file), db)
	}
}

// traces returns the tables, in all databases of the data directory, with a cell that contains a word. It skips the
// audit log and usage, which belong to the account.
func traces(t *testing.T, s *servertest.Server, word string) (found []string) {
	t.Helper()
	databases(t, s, "*.db", func(name string, db *sql.DB) {
		for _, table := range tables(t, db) {
			if !kept[table] && stands(t, db, table, word) {
				found = append(found, name+" "+table)
			}
		}
	})
	return found
}

func tables(t *testing.T, db *sql.DB) (names []string) {
	t.Helper()
	rows, err := db.Query(`SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

// stands reports whether any cell of a table contains a word.
func stands(t *testing.T, db *sql.DB, table, word string) bool {
	t.Helper()
	rows, err := db.Query(`SELECT * FROM "` + table + `"`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	cells := make([]sql.NullString, len(columns))
	places := make([]any, len(columns))
	for i := range cells {
		places[i] = &cells[i]
	}
	for rows.Next() {
		if err := rows.Scan(places...); err != nil {
			t.Fatal(err)
		}
		for _, c := range cells {
			if strings.Contains(strings.ToLower(c.String), word) {
				return true
			}
		}
	}
	return false
}
