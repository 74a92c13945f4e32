package columnar_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"parley/internal/lab/corpus"
	"parley/internal/testkit/storetest"
)

// Words of segments in which the fields leave no call are not copied from the storage.
func TestWordsOfSegmentsThatFieldsRuleOutAreNotRead(t *testing.T) {
	s := openShop(t, storetest.SQLite(t), true)
	a := storetest.Account(t, s.db, "a").ID
	c := corpus.New(corpus.Config{Words: 30, Every: time.Hour})
	for n := range 130 {
		s.publish(a, c.Call(n), true, 1)
		if n == 64 || n == 129 {
			s.catchUp()
		}
	}
	s.reopen()
	copies := func() int {
		t.Helper()
		all, err := filepath.Glob(filepath.Join(s.index.Calls.Cache.Dir, "*segment*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	matched := func(where string, words int) {
		t.Helper()
		before := copies()
		answer := s.ask(a, where)
		if got := copies() - before; got != words || answer.Total == 0 {
			t.Errorf("%s: %d calls, %d files were copied, want %d", where, answer.Total, got, words)
		}
	}
	boundary := c.Call(100).ID
	matched("wordCount > 0", 2) // the values of both
	matched(fmt.Sprintf(`mediaId > "%s" AND * SAYS "the"`, boundary), 1)
	matched(`* SAYS "the"`, 1)
	matched(`* SAYS "the" AND wordCount > 0`, 0)
}
