package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path"

	"parley/internal/call/wire"
	"parley/internal/terminal/client"
)

// publicKeyCommand manages the public keys of an account on a server, which encrypt recordings.
type publicKeyCommand struct {
	Add    publicKeyAdd    `cmd:"" help:"Upload a public key, and print its id and the SHA-256 of the file."`
	List   publicKeyList   `cmd:"" help:"List the ids of the public keys."`
	Get    publicKeyGet    `cmd:"" help:"Print a public key as it was uploaded."`
	Delete publicKeyDelete `cmd:"" help:"Delete a public key; recordings that were uploaded with it keep their copy."`
}

type publicKeyAdd struct {
	File string `arg:"" help:"OpenPGP public key, armored or binary; - reads standard input." type:"existingfile"`
	connection
}

// Run uploads the key.
func (c *publicKeyAdd) Run(ctx context.Context) error {
	body, err := c.ask(ctx, c.add)
	return answer(printing{}, body, err, func(made wire.PublicKey) error {
		fmt.Printf("%s  %s\n", made.PublicKeyID, made.PublicKeyHash)
		return nil
	})
}

func (c *publicKeyAdd) add(cl *client.Client, ctx context.Context) ([]byte, error) {
	if c.File == "-" {
		return cl.AddPublicKey(ctx, io.NopCloser(os.Stdin))
	}
	file, err := os.Open(c.File)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return cl.AddPublicKey(ctx, file)
}

type publicKeyList struct{ listing }

// Run prints one id per line: the API lists nothing else about keys.
func (c *publicKeyList) Run(ctx context.Context) error {
	return printList(ctx, c.listing, (*client.Client).PublicKeys, func(list wire.PublicKeys) [][]any {
		return rowsOf(list.Keys, func(k wire.PublicKeyRef) []any { return []any{path.Base(k.Links["self"].Href)} })
	})
}

type publicKeyGet struct {
	ID string `arg:"" name:"public-key-id" help:"Id of the public key, as add and list print it."`
	connection
}

func (c *publicKeyGet) Run(ctx context.Context) error {
	return printRaw(c.ask(ctx, func(cl *client.Client, ctx context.Context) ([]byte, error) {
		return cl.PublicKey(ctx, c.ID)
	}))
}

type publicKeyDelete struct {
	IDs []string `arg:"" name:"public-key-id" help:"Ids of public keys, as add and list print them."`
	removal
}

func (c *publicKeyDelete) Run(ctx context.Context) error {
	return c.all(ctx, many(len(c.IDs), "public key"), c.IDs, func(cl *client.Client, id string) error {
		return cl.DeletePublicKey(ctx, id)
	})
}
