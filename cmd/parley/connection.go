package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"parley/internal/terminal/client"
)

// defaultServer is the server of commands that name none.
const defaultServer = "http://127.0.0.1:8080"

// connection is the flags of commands that talk to a server.
type connection struct {
	Server string `help:"Server: host:port or URL; default: ${default}." default:"127.0.0.1:8080" env:"PARLEY_SERVER" placeholder:"ADDRESS"`
	Token  string `help:"Access token. Others on this machine can see it here; better set PARLEY_TOKEN or run parley login." env:"PARLEY_TOKEN" placeholder:"TOKEN"`
}

// client returns a client of the server with the token that was given, or that of parley login.
func (c connection) client() (*client.Client, error) {
	base, err := client.ParseAddress(c.Server)
	if err != nil {
		return nil, misuse(err)
	}
	token := strings.TrimSpace(c.Token)
	if token == "" {
		if token, err = savedToken(base); err != nil {
			return nil, err
		}
	}
	if token == "" {
		return nil, fmt.Errorf("no token for %s; run \"parley login --server %s\", or set PARLEY_TOKEN", base, base)
	}
	return newClient(base, token), nil
}

func newClient(base, token string) *client.Client {
	return &client.Client{
		Base: base, Token: token, HTTP: &http.Client{CheckRedirect: sameRequest},
		Patience: client.Patience{Tell: tellPause},
	}
}

// tellPause says why nothing happens for a while.
func tellPause(err error, pause time.Duration) {
	why := explain(err)
	if refused, ok := errors.AsType[*client.Error](err); ok {
		why = fmt.Sprintf("the server is busy (HTTP %d)", refused.Status)
		if len(refused.Problems) > 0 && refused.Problems[0].Code != 0 {
			why += ": " + refused.Problems[0].String()
		}
	} else if lost, ok := errors.AsType[*url.Error](err); ok {
		why = fmt.Sprintf("the server does not answer (%v)", lost.Err)
	}
	fmt.Fprintf(os.Stderr, "parley: %s; again in %s\n", why, pause)
}

// greet asks the server whether it is there and knows the token, before anything large is sent. A token that may do
// other things and a busy server are for the requests that follow.
func greet(ctx context.Context, cl *client.Client) error {
	_, err := cl.Root(ctx)
	if refused, ok := errors.AsType[*client.Error](err); ok &&
		(refused.Status == http.StatusForbidden || refused.Busy()) {
		return nil
	}
	return err
}

// sameRequest follows redirects of reads alone: of others the method or the body would be lost.
func sameRequest(next *http.Request, via []*http.Request) error {
	if first := via[0]; first.Method != http.MethodGet && first.Method != http.MethodHead {
		return fmt.Errorf("the server sends this on to %s://%s; name that with --server", next.URL.Scheme,
			next.URL.Host)
	}
	if len(via) >= 5 {
		return errors.New("more than 5 redirects")
	}
	return nil
}
