package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"

	"parley/internal/client"
	"parley/internal/wire"
)

// publicKeyCommand manages the public keys of an account on a server, which recordings are encrypted for.
type publicKeyCommand struct {
	Add    publicKeyAdd    `cmd:"" help:"Upload a public key and print its id, and the SHA-256 of what was sent."`
	List   publicKeyList   `cmd:"" help:"List the ids of the public keys."`
	Show   publicKeyShow   `cmd:"" help:"Print a public key as it was uploaded."`
	Remove publicKeyRemove `cmd:"" help:"Delete a public key; recordings that were uploaded with it keep their copy."`
}

type publicKeyAdd struct {
	File string `arg:"" help:"OpenPGP public key, armored or binary; - reads standard input."`
	connection
}

// Run uploads the key.
func (c *publicKeyAdd) Run(ctx context.Context) error {
	body, err := c.answer(ctx, c.client())
	if err != nil {
		return err
	}
	var made wire.PublicKey
	if err := json.Unmarshal(body, &made); err != nil {
		return err
	}
	fmt.Printf("%s  %s\n", made.PublicKeyID, made.PublicKeyHash)
	return nil
}

func (c *publicKeyAdd) answer(ctx context.Context, cl *client.Client) ([]byte, error) {
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

type publicKeyList struct {
	connection
	JSON bool `help:"Print JSON, for machines."`
}

// Run prints an id a line: a list shows nothing else of keys.
func (c *publicKeyList) Run(ctx context.Context) error {
	body, err := c.client().PublicKeys(ctx)
	if err != nil {
		return err
	}
	if c.JSON {
		_, err = os.Stdout.Write(body)
		return err
	}
	var list wire.PublicKeys
	if err := json.Unmarshal(body, &list); err != nil {
		return err
	}
	for _, k := range list.Keys {
		fmt.Println(path.Base(k.Links["self"].Href))
	}
	return nil
}

type publicKeyShow struct {
	ID string `arg:"" name:"public-key-id" help:"The id that add and list print."`
	connection
}

// Run prints the key.
func (c *publicKeyShow) Run(ctx context.Context) error {
	key, err := c.client().PublicKey(ctx, c.ID)
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(key)
	return err
}

type publicKeyRemove struct {
	ID string `arg:"" name:"public-key-id" help:"The id that add and list print."`
	connection
}

// Run deletes it.
func (c *publicKeyRemove) Run(ctx context.Context) error {
	return c.client().DeletePublicKey(ctx, c.ID)
}
