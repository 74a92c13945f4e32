package auth_test

import (
	"fmt"
	"time"

	"parley/internal/web/auth"
	"parley/internal/words/media"
)

// A signed URL gives access to one stream for a quarter of an hour.
func Example() {
	now := time.Date(2026, 11, 20, 7, 0, 0, 0, time.UTC)
	keys := auth.NewKeys(now)
	g := auth.Grant{Account: "a1", Media: "m1", Stream: media.Original, Expires: now.Add(auth.StreamTTL)}
	query := keys.Sign(g, now)

	grant, err := keys.Check(query, "m1", media.Original, now.Add(time.Minute))
	fmt.Println(grant.Account, err)
	_, err = keys.Check(query, "m2", media.Original, now.Add(time.Minute))
	fmt.Println(err)
	_, err = keys.Check(query, "m1", media.Original, now.Add(auth.StreamTTL))
	fmt.Println(err)
	// Output:
	// a1 <nil>
	// the signature of this URL is invalid; request the stream list again
	// this URL expired at 2026-11-20T07:15:00Z; request the stream list again
}
