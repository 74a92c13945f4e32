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
	cl, err := c.client()
	if err != nil {
		return err
	}
	body, err := c.answer(ctx, cl)
	if err != nil {
		return err
	}
	made, err := read[wire.PublicKey](body)
	if err != nil {
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
	printing
}

// Run prints one id per line: the API lists nothing else about keys.
func (c *publicKeyList) Run(ctx context.Context) error {
	cl, err := c.client()
	if err != nil {
		return err
	}
	body, err := cl.PublicKeys(ctx)
	if err != nil || c.JSON {
		return printBody(body, err)
	}
	list, err := read[wire.PublicKeys](body)
	if err != nil {
		return err
	}
	for _, k := range list.Keys {
		fmt.Println(path.Base(k.Links["self"].Href))
	}
	return nil
}

type publicKeyGet struct {
	ID string `arg:"" name:"public-key-id" help:"Id of the public key, as add and list print it."`
	connection
}

// Run prints the key.
func (c *publicKeyGet) Run(ctx context.Context) error {
	cl, err := c.client()
	if err != nil {
		return err
	}
	key, err := cl.PublicKey(ctx, c.ID)
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(key)
	return err
}

type publicKeyDelete struct {
	IDs []string `arg:"" name:"public-key-id" help:"Ids of public keys, as add and list print them."`
	removal
}

// Run deletes the given keys.
func (c *publicKeyDelete) Run(ctx context.Context) error {
	return c.all(ctx, many(len(c.IDs), "public key"), c.IDs, func(cl *client.Client, id string) error {
		return cl.DeletePublicKey(ctx, id)
	})
}
