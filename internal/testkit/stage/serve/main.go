// The program serve runs a server with calls of every kind, for looking at the pages of the workbench in a browser:
//
//	go run ./internal/testkit/stage/serve -addr 127.0.0.1:8081
//
// It prints the address and a token. What is in -data stays for the next start; without it, the server begins with a copy
// of what was filled in the first time, which takes a minute or two once a week.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"parley/internal/host/sandbox"
	"parley/internal/testkit/stage"
)

func main() {
	sandbox.Main()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}

func run() error {
	address := flag.String("addr", "127.0.0.1:8081", "address to listen on")
	data := flag.String("data", "", "data directory; default: a new one, which is removed at the end")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	dir := *data
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "parley-stage-"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	s, end, err := stage.Serve(ctx, dir, *address, func(what string) { fmt.Println(what) })
	if err != nil {
		return err
	}
	fmt.Printf("\n%s/ui/\n%s\n\n", s.Base, s.Token)
	for kind, id := range s.Items {
		fmt.Printf("%-12s %s/ui/#/call/%s\n", kind, s.Base, id)
	}
	<-ctx.Done()
	return end()
}
