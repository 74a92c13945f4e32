package bench

import (
	"fmt"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// line is a proxy on loopback between a client and a server, which counts bytes and delays requests.
type line struct {
	sent, received atomic.Int64 // bytes to and from the server

	network, server string
	delay           time.Duration
	listener        net.Listener
	running         sync.WaitGroup

	mu    sync.Mutex
	open  map[net.Conn]bool
	ended bool
}

// newLine returns a line to a server. What a client sends arrives after the delay; close ends the line.
func newLine(network, server string, delay time.Duration) (*line, error) {
	l := &line{network: network, server: server, delay: delay, open: map[net.Conn]bool{}}
	var err error
	if l.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, err
	}
	l.running.Go(func() {
		for {
			client, err := l.listener.Accept()
			if err != nil {
				return
			}
			if l.keep(client) {
				l.running.Go(func() { l.pass(client) })
			}
		}
	})
	return l, nil
}

// lineToDatabase returns a line to a PostgreSQL database and the URL of the database through it.
func lineToDatabase(database string) (*line, string, error) {
	u, err := url.Parse(database)
	if err != nil {
		return nil, "", err
	}
	c, err := pgconn.ParseConfig(database)
	if err != nil {
		return nil, "", err
	}
	network, address := pgconn.NetworkAddress(c.Host, c.Port)
	l, err := newLine(network, address, 0)
	if err != nil {
		return nil, "", err
	}
	query := u.Query()
	query.Del("host")
	query.Del("port")
	u.Host, u.RawQuery = l.address(), query.Encode()
	return l, u.String(), nil
}

// lineToBucket returns a line to an S3 server and the address of the place through it, which must name an endpoint with
// http.
func lineToBucket(place string, delay time.Duration) (*line, string, error) {
	u, err := url.Parse(place)
	if err != nil {
		return nil, "", err
	}
	query := u.Query()
	endpoint, err := url.Parse(query.Get("endpoint"))
	if err != nil || endpoint.Scheme != "http" || endpoint.Port() == "" {
		return nil, "", fmt.Errorf("%s: the requests of each server are counted, so the address needs an endpoint such as "+
			"&endpoint=http://127.0.0.1:9000", u.Redacted())
	}
	l, err := newLine("tcp", endpoint.Host, delay)
	if err != nil {
		return nil, "", err
	}
	query.Set("endpoint", "http://"+l.address())
	u.RawQuery = query.Encode()
	return l, u.String(), nil
}

func (l *line) address() string { return l.listener.Addr().String() }

// keep notes a connection, to be closed with the line; false if that is closed.
func (l *line) keep(c net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		c.Close()
		return false
	}
	l.open[c] = true
	return true
}

// close ends all connections.
func (l *line) close() {
	l.mu.Lock()
	l.ended = true
	l.listener.Close()
	for c := range l.open {
		c.Close()
	}
	l.mu.Unlock()
	l.running.Wait()
}

// pass connects a client with the server until one of them ends.
func (l *line) pass(client net.Conn) {
	server, err := net.Dial(l.network, l.server)
	if err == nil && !l.keep(server) {
		err = net.ErrClosed
	}
	if err == nil {
		var requests sync.WaitGroup
		requests.Go(func() {
			l.carry(server, client)
			server.Close()
		})
		copyCounted(client, server, &l.received)
		client.Close()
		requests.Wait()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range []net.Conn{client, server} {
		if c != nil {
			c.Close()
			delete(l.open, c)
		}
	}
}

// carry copies requests, each part of which arrives after the delay.
func (l *line) carry(server, client net.Conn) {
	if l.delay == 0 {
		copyCounted(server, client, &l.sent)
		return
	}
	type part struct {
		data []byte
		due  time.Time
	}
	parts := make(chan part, 1024)
	var reading sync.WaitGroup
	reading.Go(func() {
		defer close(parts)
		for {
			p := make([]byte, 32<<10)
			n, err := client.Read(p)
			if n > 0 {
				parts <- part{p[:n], time.Now().Add(l.delay)}
			}
			if err != nil {
				return
			}
		}
	})
	failed := false
	for p := range parts {
		if failed {
			continue
		}
		timer := time.NewTimer(time.Until(p.due))
		<-timer.C
		l.sent.Add(int64(len(p.data)))
		if _, err := server.Write(p.data); err != nil {
			failed = true
			client.Close() // ends the reader
		}
	}
	reading.Wait()
}

// copyCounted copies until one side ends.
func copyCounted(to, from net.Conn, count *atomic.Int64) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		count.Add(int64(n))
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
