package main

import (
	"net/http"

	"parley/internal/client"
)

// connection is the flags of commands that talk to a server.
type connection struct {
	Server string `help:"Address of the server." default:"http://127.0.0.1:8080" env:"PARLEY_SERVER" placeholder:"URL"`
	Token  string `help:"Access token." env:"PARLEY_TOKEN" required:"" placeholder:"TOKEN"`
}

func (c connection) client() *client.Client {
	return &client.Client{Base: c.Server, Token: c.Token, HTTP: http.DefaultClient}
}

// waiting is the flags of commands that have recordings processed.
type waiting struct {
	Transcript string `help:"File with what is said in the recording: text, or a result with word times." type:"existingfile" placeholder:"FILE"`
	NoWait     bool   `help:"Return when everything is accepted."`
	Format     string `help:"Print transcripts: none, text, json, srt, webvtt or dfxp." default:"none" enum:"none,text,json,srt,webvtt,dfxp"`
}
