package api_test

import (
	"encoding/csv"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"parley/internal/storage/store"
	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
)

func TestUsageIsListedByMonthAndByDayForTheAccountAlone(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	own, other := s.Account(t, account.DefaultName), s.Account(t, "other")
	for _, u := range []struct {
		of      account.ID
		at      time.Time
		minutes float64
	}{
		{own.ID, time.Date(2025, 12, 31, 23, 59, 0, 0, time.UTC), 10},
		{own.ID, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), 1.5},
		{own.ID, time.Date(2026, 1, 31, 23, 0, 0, 0, time.UTC), 2},
		{other.ID, time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC), 100},
	} {
		err := s.Server.Store.Update(t.Context(), func(tx *store.Tx) error {
			return tx.AddUsage(u.of, u.at, store.Usage{Recognized: time.Duration(u.minutes * float64(time.Minute))})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		"months":          "December 2025 10; January 2026 3.5",
		"monthly/2026/1":  "January 2026 3.5",
		"monthly/2026/01": "January 2026 3.5",
		"monthly/2026/2":  "",
		"daily/2026/1":    "1. January 2026 1.5; 31. January 2026 2",
		"daily/2025/12":   "31. December 2025 10",
		"daily/2025/11":   "",
	} {
		body := ok(t, s.Get(t, "/v3/usage/"+path)).JSON(t)
		var said []string
		for _, m := range body["months"].([]any) {
			day := ""
			if d := m.(map[string]any)["monthDay"]; d != nil {
				day = fmt.Sprint(d, ". ")
			}
			said = append(said, fmt.Sprint(day, at(t, m, "monthName"), " ", at(t, m, "year"), " ",
				at(t, m, "billedQuantity")))
		}
		if got := strings.Join(said, "; "); got != want || body["accountId"] != string(own.ID) {
			t.Errorf("%s: %q, want %q (%v)", path, got, want, body)
		}
	}
	a := ok(t, s.Get(t, "/v3/usage/daily/2026/1/csv"))
	lines, err := csv.NewReader(strings.NewReader(string(a.Body))).ReadAll()
	if err != nil || len(lines) != 3 || lines[2][4] != "31" || lines[2][6] != "2" || lines[2][0] != string(own.ID) {
		t.Errorf("%v %q", err, lines)
	}
	if !strings.Contains(a.Header.Get("Content-Disposition"), "usage-daily-2026-1.csv") {
		t.Errorf("%v", a.Header)
	}
	for _, path := range []string{"monthly/2026/13", "monthly/2026/0", "daily/26/1", "daily/x/1",
		"monthly/2026/13/csv"} {
		refused(t, s.Get(t, "/v3/usage/"+path), 400, 95002, "2026/11")
	}
}

func TestProcessedRecordingsAreCountedAsMinutesThatStayWhenTheyAreDeleted(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, servertest.File("media", "call.wav", servertest.Tone(3, 2)))
	s.Await(t, id)
	if a := s.Do(t, "DELETE", "/v3/media/"+id, nil); a.Status != 204 {
		t.Fatal(a)
	}
	months := ok(t, s.Get(t, "/v3/usage/months")).JSON(t)["months"].([]any)
	if len(months) != 1 || at(t, months[0], "billedQuantity") != .05 || at(t, months[0], "billingUnit") != "minutes" {
		t.Errorf("%v", months)
	}
}

// An item that came with its words was not recognised: its usage has a separate line, even if the result is sealed.
// Reprocessing without recognition has no usage.
func TestGivenTranscriptsAreCountedApart(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	tone := servertest.File("media", "call.wav", servertest.Tone(3, 1))
	text := servertest.Field("transcript", "Agent: hello there")
	s.Await(t, s.Submit(t, tone))
	s.Await(t, s.Submit(t, tone, text)) // its audio is processed to align the words
	given := s.Submit(t, tone, servertest.Field("transcript", timedWords))
	s.Await(t, given)
	ok(t, s.Do(t, "POST", "/v3/media/"+given, nil))
	s.Await(t, given)
	used := map[any]any{}
	for _, m := range ok(t, s.Get(t, "/v3/usage/months")).JSON(t)["months"].([]any) {
		used[at(t, m, "productName")] = at(t, m, "billedQuantity")
	}
	if want := (map[any]any{"Speech recognition": .1, "Given transcripts": .05}); !maps.Equal(used, want) {
		t.Errorf("used %v, want %v", used, want)
	}
}
