package account_test

import (
	"fmt"
	"time"

	"parley/internal/words/account"
)

func ExampleParseKey() {
	maker := account.Token{Account: "acme", Scopes: account.Scopes{account.MediaRead}}
	sent := []byte(`{"description": "dashboard", "scope": "media:read admin"}`)
	_, err := account.ParseKey(sent, time.Now(), maker)
	fmt.Println(err)
	// Output: /scope: "admin" is not a scope of the key that you use, which has "media:read"
}
