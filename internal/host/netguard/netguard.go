// Package netguard provides the only HTTP client for URLs that customers supply (callbacks, mediaUrl). It connects to
// public addresses only, whatever a name resolves to when dialling and wherever a redirect leads, and limits time,
// headers and bytes.
//
// The refused addresses follow IANA's registries of special-purpose addresses (RFC 6890 and its updates), and the
// metadata services of clouds. It does not use a proxy, because it could not check the proxy's name resolution. It does
// not retry, authenticate or interpret what it fetches.
package netguard

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// Resolver resolves host names. *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Config sets what may be reached and the timeouts. Zero durations mean the defaults.
type Config struct {
	AllowNetworks []netip.Prefix // allowed although they are not public
	EgressAddress netip.Addr     // local address of connections; the zero Addr lets the system choose
	AllowHTTP     bool           // allow http in addition to https
	MaxRedirects  int            // followed by Client, each one checked; 0: the redirect itself is the response
	Timeout       time.Duration  // of one exchange of Client, including the body; default 30 s
	Connect       time.Duration  // of one connection, all of a host's addresses together; default 10 s
	Header        time.Duration  // from the request to the response headers; default 30 s
	Idle          time.Duration  // longest pause within the body of Fetch; default 30 s
	Total         time.Duration  // of the body of Fetch; default 1 h
	Resolver      Resolver       // default net.DefaultResolver
}

// maxHeader bounds the response headers, in bytes.
const maxHeader = 64 << 10

// Guard is an HTTP client that connects to allowed addresses only. It is safe for concurrent use.
type Guard struct {
	config    Config
	transport *http.Transport
	dialer    net.Dialer
}

// New returns a guard.
func New(c Config) *Guard {
	c.Timeout = cmp.Or(c.Timeout, 30*time.Second)
	c.Connect = cmp.Or(c.Connect, 10*time.Second)
	c.Header = cmp.Or(c.Header, 30*time.Second)
	c.Idle = cmp.Or(c.Idle, 30*time.Second)
	c.Total = cmp.Or(c.Total, time.Hour)
	if c.Resolver == nil {
		c.Resolver = net.DefaultResolver
	}
	g := &Guard{config: c}
	g.dialer = net.Dialer{Control: g.control}
	if c.EgressAddress.IsValid() {
		g.dialer.LocalAddr = net.TCPAddrFromAddrPort(netip.AddrPortFrom(c.EgressAddress, 0))
	}
	g.transport = g.newTransport()
	return g
}

func (g *Guard) newTransport() *http.Transport {
	return &http.Transport{
		DialContext:            g.dial,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    g.config.Connect,
		ResponseHeaderTimeout:  g.config.Header,
		MaxResponseHeaderBytes: maxHeader,
		DisableCompression:     true, // bytes as sent, and no decompression bombs
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           100,
		MaxIdleConnsPerHost:    4,
		IdleConnTimeout:        30 * time.Second,
	}
}

// Client returns an HTTP client for callbacks. Requests to disallowed addresses fail with an error of CheckURL or with
// Refused.
func (g *Guard) Client() *http.Client {
	return &http.Client{Transport: checkingTransport{g}, Timeout: g.config.Timeout,
		CheckRedirect: g.redirects(g.config.MaxRedirects)}
}

// Close closes idle connections.
func (g *Guard) Close() { g.transport.CloseIdleConnections() }

// checkingTransport is a transport that checks the URL of every request, redirects included.
type checkingTransport struct{ guard *Guard }

// RoundTrip implements http.RoundTripper.
func (c checkingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := c.guard.check(r.URL); err != nil {
		if r.Body != nil {
			r.Body.Close()
		}
		return nil, err
	}
	return c.guard.transport.RoundTrip(r)
}

// redirects returns a policy that follows a limited number of redirects. It sends no Referer header, because the
// previous URL may hold a secret.
func (g *Guard) redirects(most int) func(*http.Request, []*http.Request) error {
	return func(next *http.Request, before []*http.Request) error {
		next.Header.Del("Referer")
		switch {
		case most == 0:
			return http.ErrUseLastResponse
		case len(before) > most:
			return fmt.Errorf("more than %d redirects", most)
		}
		return nil
	}
}

// Refused is the error of a connection to a disallowed address.
type Refused struct {
	Host    string
	Address netip.Addr
}

// Error names the host, which the customer knows, but not the address, which would reveal details of the local network.
func (r *Refused) Error() string {
	return fmt.Sprintf("the host %s has no public address; the operator can allow its network with --allow-networks",
		r.Host)
}

// dial resolves a host and connects to the first allowed address that answers. It dials the checked address, so that a
// name cannot resolve differently between check and use (DNS rebinding).
func (g *Guard) dial(ctx context.Context, network, hostPort string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, g.config.Connect)
	defer cancel()
	host, port, err := net.SplitHostPort(hostPort)
	if err != nil {
		return nil, err
	}
	addresses, err := g.resolve(ctx, host)
	if err != nil {
		return nil, err
	}
	var failures []error
	for i, a := range addresses {
		conn, err := g.connect(ctx, network, net.JoinHostPort(a.String(), port), len(addresses)-i)
		if err == nil {
			return conn, nil
		}
		failures = append(failures, err)
	}
	return nil, errors.Join(failures...)
}

// connect tries one address for its share of the remaining time.
func (g *Guard) connect(ctx context.Context, network, address string, shares int) (net.Conn, error) {
	deadline, _ := ctx.Deadline()
	ctx, cancel := context.WithTimeout(ctx, time.Until(deadline)/time.Duration(shares))
	defer cancel()
	return g.dialer.DialContext(ctx, network, address)
}

// resolve returns the allowed addresses of a host, at least one.
func (g *Guard) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	found, err := g.lookup(ctx, host)
	if err != nil {
		return nil, err
	}
	var allowed []netip.Addr
	for _, a := range found {
		if a = a.Unmap(); g.allows(a) && g.sameFamily(a) {
			allowed = append(allowed, a)
		}
	}
	if len(allowed) == 0 && len(found) > 0 {
		return nil, &Refused{Host: host, Address: found[0]}
	}
	if len(allowed) == 0 {
		return nil, fmt.Errorf("the host %s has no address", host)
	}
	return allowed, nil
}

func (g *Guard) lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a}, nil
	}
	found, err := g.config.Resolver.LookupNetIP(ctx, "ip", host)
	if d, ok := errors.AsType[*net.DNSError](err); ok {
		return nil, fmt.Errorf("the host %s cannot be resolved: %s", host, d.Err) // without the name server's address
	}
	return found, err
}

func (g *Guard) sameFamily(a netip.Addr) bool {
	return !g.config.EgressAddress.IsValid() || g.config.EgressAddress.Unmap().Is4() == a.Is4()
}

// control is the last check, on the address that the socket is about to connect to.
func (g *Guard) control(_, address string, _ syscall.RawConn) error {
	a, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("address of a connection: %w", err)
	}
	if !g.allows(a.Addr().Unmap()) {
		return &Refused{Host: a.Addr().String(), Address: a.Addr()}
	}
	return nil
}
