package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/term"

	"parley/internal/host/filelock"
	"parley/internal/terminal/client"
)

// loginCommand saves a token for a server.
type loginCommand struct{ address }

// Run reads a token, asks the server whether it is valid, and saves it.
func (c *loginCommand) Run(ctx context.Context) error {
	base, err := c.base()
	if err != nil {
		return err
	}
	token, err := readToken(base)
	if err != nil {
		return err
	}
	_, err = newClient(base, token).Root(ctx)
	if refused, ok := errors.AsType[*client.Error](err); ok && refused.Status == http.StatusForbidden {
		err = nil // a valid token with other permissions
	}
	if err != nil {
		return err
	}
	path, err := changeCredentials(ctx, func(kept *credentials) { kept.Servers[base] = credential{token} })
	if err == nil {
		fmt.Fprintf(os.Stderr, "logged in to %s; the token is saved in %s\n", base, path)
	}
	return err
}

// readToken reads a token from standard input, without echo on a terminal.
func readToken(base string) (string, error) {
	var typed string
	if onTerminal(os.Stdin) {
		fmt.Fprintf(os.Stderr, "Token for %s (not shown): ", base)
		secret, err := term.ReadPassword(int(os.Stdin.Fd()))
		fmt.Fprintln(os.Stderr)
		if err != nil {
			return "", err
		}
		typed = string(secret)
	} else {
		line, err := bufio.NewReader(io.LimitReader(os.Stdin, 4096)).ReadString('\n')
		if err != nil && err != io.EOF {
			return "", err
		}
		typed = line
	}
	token := strings.TrimSpace(typed)
	if token == "" {
		return "", usagef("no token on standard input; type it, or run parley login < FILE")
	}
	return token, nil
}

// logoutCommand deletes the saved token of a server.
type logoutCommand struct{ address }

// Run deletes the saved token; it stays valid on the server.
func (c *logoutCommand) Run(ctx context.Context) error {
	base, err := c.base()
	if err != nil {
		return err
	}
	had := false
	_, err = changeCredentials(ctx, func(kept *credentials) {
		_, had = kept.Servers[base]
		delete(kept.Servers, base)
	})
	if err == nil && !had {
		fmt.Fprintf(os.Stderr, "no token was saved for %s\n", base)
	}
	return err
}

// credentials is the content of the file of saved tokens, by server address.
type credentials struct {
	Servers map[string]credential `json:"servers"`
}

type credential struct {
	Token string `json:"token"`
}

func credentialsFile() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("no folder for saved tokens: %w; set HOME, or give the token with PARLEY_TOKEN", err)
	}
	return filepath.Join(dir, "parley", "credentials.json"), nil
}

// savedToken returns the saved token of a server, "" if there is none.
func savedToken(base string) (string, error) {
	path, err := credentialsFile()
	if err != nil {
		return "", nil // without a home directory nothing is saved
	}
	kept, err := readCredentials(path)
	return kept.Servers[base].Token, err
}

// readCredentials reads the file, which must not be readable by others.
func readCredentials(path string) (credentials, error) {
	kept := credentials{Servers: map[string]credential{}}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return kept, nil
	}
	if err != nil {
		return kept, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return kept, err
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return kept, fmt.Errorf("%s contains tokens, but other users may read or change it (mode %04o); run chmod 600 %s, "+
			"and revoke the tokens if others use this machine", path, mode, path)
	}
	if err := json.NewDecoder(f).Decode(&kept); err != nil {
		return kept, fmt.Errorf("%s: %w; delete it and log in again", path, err)
	}
	if kept.Servers == nil {
		kept.Servers = map[string]credential{}
	}
	return kept, nil
}

// changeCredentials changes the file, one process at a time.
func changeCredentials(ctx context.Context, change func(*credentials)) (path string, err error) {
	if path, err = credentialsFile(); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	lock, err := filelock.Wait(ctx, path+".lock")
	if err != nil {
		return "", err
	}
	defer lock.Close()
	kept, err := readCredentials(path)
	if err != nil {
		return "", err
	}
	change(&kept)
	return path, writeCredentials(path, kept)
}

// writeCredentials replaces the file with one that only its owner can read.
func writeCredentials(path string, kept credentials) error {
	body, err := json.MarshalIndent(kept, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(path, true, verbatim(append(body, '\n')))
}
