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

// defaultServer is the server of commands that are given none.
const defaultServer = "http://127.0.0.1:8080"

// address has the flag of commands that need a server's address.
type address struct {
	Server string `help:"Server: host:port or URL; default: ${default}." default:"127.0.0.1:8080" env:"PARLEY_SERVER" placeholder:"ADDRESS"`
}

// base returns the address as client.ParseAddress does.
func (a address) base() (string, error) {
	base, err := client.ParseAddress(a.Server)
	return base, misuse(err)
}

// connection has the flags of commands that use a server.
type connection struct {
	address
	Token string `help:"Access token. Other users of this machine can see it on the command line; PARLEY_TOKEN and parley login are safer." env:"PARLEY_TOKEN" placeholder:"TOKEN"`
}

// client returns a client of the server, with the given token or that of parley login.
func (c connection) client() (*client.Client, error) {
	base, err := c.base()
	if err != nil {
		return nil, err
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

// tellPause reports why the program waits.
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
	fmt.Fprintf(os.Stderr, "parley: %s; retrying in %s\n", why, pause)
}

// greet checks that the server responds and accepts the token, before anything large is sent. It ignores a token with
// other permissions and a busy server: the requests that follow report those.
func greet(ctx context.Context, cl *client.Client) error {
	_, err := cl.Root(ctx)
	if refused, ok := errors.AsType[*client.Error](err); ok &&
		(refused.Status == http.StatusForbidden || refused.Busy()) {
		return nil
	}
	return err
}

// sameRequest follows redirects only of reads: a redirect of another request would lose the method or the body.
func sameRequest(next *http.Request, via []*http.Request) error {
	if first := via[0]; first.Method != http.MethodGet && first.Method != http.MethodHead {
		return fmt.Errorf("the server redirects this request to %s://%s; give that address with --server", next.URL.Scheme,
			next.URL.Host)
	}
	if len(via) >= 5 {
		return errors.New("more than 5 redirects")
	}
	return nil
}
