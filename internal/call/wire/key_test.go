package wire

import (
	"testing"
	"time"

	"parley/internal/words/account"
)

func TestKeysLookAsDocumented(t *testing.T) {
	plain := account.Token{ID: "k1", LastSix: "q1w2e3", Issued: created, Scopes: account.AllScopes}
	ending := account.Token{
		ID: "k2", LastSix: "aaaaaa", Issued: created, Expires: created.Add(time.Hour), Ephemeral: true,
		LastUsed: created.Add(time.Minute),
		Scopes:   account.Scopes{account.MediaRead}, Description: "<dialler>",
	}
	made := NewKey(plain, created)
	made.BearerToken = "parley_secret"
	golden(t, "key-made.json", made)
	golden(t, "keys.json", NewKeys([]account.Token{plain, ending}, created.Add(time.Hour)))
	golden(t, "keys-none.json", NewKeys(nil, created))
}

func TestUsageLooksAsDocumented(t *testing.T) {
	month := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	days := NewUsage("a1", []UsageItem{
		NewUsageOfDay(month.AddDate(0, 0, 19), Recognition, 92*time.Minute+15*time.Second),
		NewUsageOfDay(month.AddDate(0, 0, 29), Given, time.Millisecond)}, "daily", "2026", "11")
	golden(t, "usage-daily.json", days)
	golden(t, "usage-monthly.json",
		NewUsage("a1", []UsageItem{NewUsageOfMonth(month, Recognition, 92*time.Minute+10*time.Second)}, "monthly",
			"2026", "11"))
	golden(t, "usage-none.json", NewUsage("a1", nil, "months"))
	const want = "accountId,year,month,monthName,monthDay,productName,billedQuantity,billingUnit\r\n" +
		"a1,2026,11,November,20,Speech recognition,92.25,minutes\r\na1,2026,11,November,30,Given " +
		"transcripts,0,minutes\r\n"
	if got := string(days.CSV()); got != want {
		t.Errorf("%q", got)
	}
}
