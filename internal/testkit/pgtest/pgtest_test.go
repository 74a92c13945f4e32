package pgtest

import (
	"database/sql"
	"testing"
)

func open(t *testing.T, url string) *sql.DB {
	t.Helper()
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func TestDatabasesAreEmptyAndApart(t *testing.T) {
	one, two := open(t, URL(t)), open(t, URL(t))
	if _, err := one.Exec(`CREATE TABLE mark (n BIGINT)`); err != nil {
		t.Fatal(err)
	}
	if _, err := two.Exec(`CREATE TABLE mark (n BIGINT)`); err != nil {
		t.Fatalf("the second database sees the first one's table: %v", err)
	}
}

func TestDatabaseIsDroppedWithItsTest(t *testing.T) {
	var url string
	t.Run("inner", func(t *testing.T) { url = URL(t) })
	if err := open(t, url).Ping(); err == nil {
		t.Fatal("the database is still there")
	}
}

func TestStoppedServerRestartsOnItsData(t *testing.T) {
	s := Start(t)
	db := open(t, s.URL(t))
	if _, err := db.Exec(`CREATE TABLE mark AS SELECT 7 AS n`); err != nil {
		t.Fatal(err)
	}
	s.Stop()
	if err := db.Ping(); err == nil {
		t.Fatal("a stopped server answers")
	}
	if err := s.Restart(); err != nil {
		t.Fatal(err)
	}
	var n int
	if err := db.QueryRow(`SELECT n FROM mark`).Scan(&n); err != nil || n != 7 {
		t.Fatalf("after the restart: %d, %v", n, err)
	}
}

func TestAPromotedStandbyHasWhatThePrimaryAcknowledged(t *testing.T) {
	primary := Durable(t)
	url := primary.URL(t)
	standby := primary.Standby(t)
	db := open(t, url)
	if _, err := db.Exec(`CREATE TABLE mark AS SELECT 7 AS n`); err != nil {
		t.Fatal(err)
	}
	var settings string
	if err := db.QueryRow(`SELECT current_setting('fsync') || ' ' || current_setting('synchronous_commit')`).
		Scan(&settings); err != nil || settings != "on on" {
		t.Errorf("a durable server has %s (%v)", settings, err)
	}
	primary.Stop()
	if err := standby.Promote(); err != nil {
		t.Fatal(err)
	}
	after := open(t, "postgres://postgres@"+standby.Address()+"/test1")
	var n int
	if err := after.QueryRow(`UPDATE mark SET n = n + 1 RETURNING n`).Scan(&n); err != nil || n != 8 {
		t.Errorf("on the standby: %d, %v", n, err)
	}
}
