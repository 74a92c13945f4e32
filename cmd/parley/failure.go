package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"parley/internal/operation/config"
	"parley/internal/terminal/client"
)

// Exit codes of failed commands: wrong usage, and an interrupt. Any other failure is 1.
const (
	exitUsage       = 2
	exitInterrupted = 130
)

// errFailed is an error whose explanation has already been printed; it only sets the exit code.
var errFailed = errors.New("failed")

// usageError is an error in the way a command was written.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// misuse wraps an error about flags or arguments as a usageError; nil stays nil.
func misuse(err error) error {
	if err == nil {
		return nil
	}
	return usageError{err}
}

// storageOf parses the storage flags.
func storageOf(flags config.StorageFlags) (config.Storage, error) {
	storage, err := config.ParseStorage(flags)
	return storage, misuse(err)
}

// misused prints an error of the flag parser after the usage of the command, and returns the exit code.
func misused(parser *kong.Kong, err error) int {
	if at, ok := errors.AsType[*kong.ParseError](err); ok {
		parser.Stdout = parser.Stderr
		at.Context.PrintUsage(true)
		fmt.Fprintln(parser.Stderr)
	}
	parser.Errorf("%s", errorText(err))
	return exitUsage
}

// report prints an error and returns the exit code.
func report(err error) int {
	if errors.Is(err, context.Canceled) {
		return exitInterrupted
	}
	if !errors.Is(err, errFailed) {
		fmt.Fprintln(os.Stderr, "parley:", explain(err))
	}
	if _, ok := errors.AsType[usageError](err); ok {
		return exitUsage
	}
	return 1
}

// explain returns the text of an error, and what the user can do about it.
func explain(err error) string {
	if refused, ok := errors.AsType[*client.Error](err); ok && refused.Status == http.StatusUnauthorized {
		return err.Error() + `; run "parley login" to save a token for this server, or set PARLEY_TOKEN`
	}
	lost, ok := errors.AsType[*url.Error](err)
	if !ok {
		return errorText(err)
	}
	server := lost.URL
	if u, parseErr := url.Parse(lost.URL); parseErr == nil {
		server = u.Scheme + "://" + u.Host
	}
	why := lost.Err.Error()
	if strings.Contains(why, "server gave HTTP response to HTTPS client") { // net/http exports no error value for it
		return fmt.Sprintf("%s does not use TLS; if you trust the network to it, give --server %s",
			server, strings.Replace(server, "https:", "http:", 1))
	}
	if errors.Is(lost.Err, syscall.ECONNREFUSED) {
		why += "; check that the server runs there, or name another one with --server"
	}
	return strings.Replace(err.Error(), lost.Error(), server+": "+why, 1)
}

// errorText returns the text of an error; for a missing file, in plain words instead of those of the system call.
func errorText(err error) string {
	at, ok := errors.AsType[*fs.PathError](err)
	if !ok || !errors.Is(at, fs.ErrNotExist) {
		return err.Error()
	}
	what := "there is no file " + at.Path
	if _, err := os.Stat(filepath.Dir(at.Path)); errors.Is(err, fs.ErrNotExist) {
		what = "there is no folder " + filepath.Dir(at.Path)
	} else if at.Op != "open" {
		what = "there is no file or folder " + at.Path
	}
	return strings.Replace(err.Error(), at.Error(), what, 1)
}
