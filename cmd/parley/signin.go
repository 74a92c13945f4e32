package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"time"

	"parley/internal/operation/config"
	"parley/internal/storage/store"
	"parley/internal/web/auth"
	"parley/internal/words/account"
	"parley/internal/words/audit"
)

// signIn makes a token whose secret nobody learns, and prints a link that signs a browser in with it. Unless told
// otherwise, the token lasts as long as a session can.
func (c *tokenCreate) signIn(ctx context.Context, token account.Token) error {
	base, err := config.ParsePublicURL(cmp.Or(c.PublicURL, defaultServer))
	if err != nil {
		return misuse(err)
	}
	token.Description = cmp.Or(token.Description, "sign-in")
	token.Expires = time.Now().Add(cmp.Or(time.Duration(c.Expires), account.LinkLife+account.SessionLife))
	token.Ephemeral = true
	var link auth.Secret
	err = withStore(ctx, c.StorageFlags, func(db *store.Store) error {
		return db.Update(ctx, func(tx *store.Tx) error {
			owner, err := c.owner(tx)
			if err != nil {
				return err
			}
			made, err := addToken(tx, owner, token, auth.NewSecret())
			if err != nil {
				return err
			}
			link, err = addLink(tx, made)
			return err
		})
	})
	if err != nil {
		return err
	}
	fmt.Println(auth.SignInLink(base.String(), link))
	fmt.Fprintln(os.Stderr, "Open the link in a browser within 10 minutes; it signs in once.")
	return nil
}

// addLink stores a one-time link of a token, records that in the audit log of its account, and returns its secret.
func addLink(tx *store.Tx, token account.Token) (auth.Secret, error) {
	link := auth.NewSecret()
	if err := tx.CreateLink(token, link.Hash()); err != nil {
		return "", err
	}
	return link, note(tx, token.Account, audit.Create, "profile/sign-in-links", token.ID)
}
