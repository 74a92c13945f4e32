package store_test

import (
	"testing"
	"time"

	"parley/internal/media"
	"parley/internal/pgtest"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// foundation is the last version of the tables before recordings could be searched, processed again and limited.
const foundation = 3

// foundationRows are an account with a finished recording and one under way, as that version wrote them.
var foundationRows = []string{
	`INSERT INTO account (id, name, created) VALUES ('a', 'acme', 1)`,
	`INSERT INTO token (id, account, hash, last_six, description, scopes, issued, expires) VALUES ('t', 'a', 'h', '123456', 'd', 'media:read', 1, 0)`,
	`INSERT INTO media (id, account, status, created, finished, length, content_type, size, sha256, source_url, priority, time_to_live, expires, external_id, metadata, problems, warnings)
		VALUES ('m1', 'a', 'finished', 5, 9, 2000000, 'audio/wav', 70, 's', '', 1, 3600000000, 4102444800000009, 'e', '{"title":"t","n":1.50}', '[]', '[]')`,
	`INSERT INTO media (id, account, status, created, content_type, size, sha256, source_url, priority, time_to_live, problems, warnings)
		VALUES ('m2', 'a', 'running', 6, 'audio/wav', 30, 's', '', 1, 0, '[]', '[]')`,
	`INSERT INTO media_request (media, configuration, given) VALUES ('m1', 'c1', ''), ('m2', 'c2', 'g2')`,
	`INSERT INTO stream (media, name, blob, content_type, size) VALUES ('m1', 'original', 'b1', 'audio/wav', 70), ('m2', 'original', 'b2', 'audio/wav', 30)`,
	`INSERT INTO result (media, version, transcript, result) VALUES ('m1', 1, '', 'r')`,
}

func TestADatabaseOfBeforeIsUpgradedWithAllThatIsInIt(t *testing.T) {
	for name, url := range map[string]string{"sqlite": storetest.SQLiteURL(t), "postgres": pgtest.URL(t)} {
		t.Run(name, func(t *testing.T) {
			s, err := store.Open(t.Context(), store.Config{URL: url})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if err := s.MigrateTo(t.Context(), foundation); err != nil {
				t.Fatal(err)
			}
			storetest.Update(t, s, func(tx *store.Tx) error {
				for _, row := range foundationRows {
					if err := tx.Insert(row); err != nil {
						return err
					}
				}
				return nil
			})
			if err := s.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			upgraded(t, s)
		})
	}
}

// upgraded makes sure that the rows are what they were, and that what came later knows of them.
func upgraded(t *testing.T, s *store.Store) {
	t.Helper()
	err := s.View(t.Context(), func(tx *store.Tx) error {
		m, err := tx.Media("a", "m1")
		if err != nil || m.Status != media.Finished || m.TimeToLive != time.Hour || string(m.Metadata.Bytes()) != `{"title":"t","n":1.50}` || m.Expires.UnixMicro() != 4102444800000009 {
			t.Errorf("%+v (%v)", m, err)
		}
		if r, err := tx.Result("a", "m1"); err != nil || string(r.Result) != "r" {
			t.Errorf("result %+v (%v)", r, err)
		}
		if configuration, given, err := tx.Request("m2"); err != nil || string(configuration) != "c2" || string(given) != "g2" {
			t.Errorf("request %q, %q (%v)", configuration, given, err)
		}
		if n, err := tx.Storage("a"); err != nil || n != 100 {
			t.Errorf("%d bytes are counted of 100 (%v)", n, err)
		}
		if life, err := tx.Retention("a"); err != nil || life != nil {
			t.Errorf("retention %v (%v)", life, err)
		}
		if again, err := tx.Reprocessing("m1"); err != nil || again != nil {
			t.Errorf("reprocessing %+v (%v)", again, err)
		}
		tokens, err := tx.Tokens("a")
		if err != nil || len(tokens) != 1 || tokens[0].Ephemeral {
			t.Errorf("tokens %+v (%v)", tokens, err)
		}
		listed, err := tx.ListMedia("a", store.MediaFilter{ExternalID: "e"})
		if err != nil || len(listed) != 1 {
			t.Errorf("by its id %d recordings are found (%v)", len(listed), err)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := s.CountWhere(t.Context(), "index_pending", "media", "m1"); err != nil || n != 1 {
		t.Errorf("what was published waits %d times for the search index (%v)", n, err)
	}
	if n, err := s.CountWhere(t.Context(), "index_pending", "media", "m2"); err != nil || n != 0 {
		t.Errorf("what is not published waits %d times for the search index (%v)", n, err)
	}
}

func TestADatabaseThatLacksAMigrationIsNotTakenForUpToDate(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		if err := s.ForgetMigration(t.Context(), 43); err != nil {
			t.Fatal(err)
		}
		if err := s.Migrate(t.Context()); err == nil {
			t.Error("it is taken for up to date")
		}
	})
}
