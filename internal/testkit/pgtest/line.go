package pgtest

import (
	"io"
	"net"
	"net/url"
	"path/filepath"
	"sync"
	"testing"
)

// Line is a network connection to a database that can fall silent, as one to a host that has lost power.
type Line struct {
	URL string // of the database, through the line

	mu     sync.Mutex
	silent chan struct{} // closed when what is connected now passes nothing more
	mended bool
}

// Through returns a line to the database of a URL of this package. It ends with the test.
func Through(t testing.TB, database string) *Line {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &Line{URL: "postgres://postgres@" + listener.Addr().String() + u.Path, silent: make(chan struct{}), mended: true}
	end := make(chan struct{})
	var passing sync.WaitGroup
	t.Cleanup(func() {
		close(end)
		listener.Close()
		passing.Wait()
	})
	socket := filepath.Join(u.Query().Get("host"), ".s.PGSQL.5432")
	passing.Go(func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			passing.Go(func() { l.pass(from, socket, end) })
		}
	})
	return l
}

// pass connects two sides until one ends, or the test does.
func (l *Line) pass(from net.Conn, socket string, end <-chan struct{}) {
	defer from.Close()
	l.mu.Lock()
	silent, mended := l.silent, l.mended
	l.mu.Unlock()
	if !mended {
		<-end
		return
	}
	to, err := net.Dial("unix", socket)
	if err != nil {
		return
	}
	defer to.Close()
	ended := make(chan struct{}, 2)
	for _, way := range [][2]net.Conn{{from, to}, {to, from}} {
		go func() {
			copyUntil(way[1], way[0], silent)
			ended <- struct{}{}
		}()
	}
	select {
	case <-ended:
		select {
		case <-silent: // nobody hears of the other side's end
			<-end
		default:
		}
	case <-end:
	}
}

// copyUntil copies until one side ends or silent is closed; from then on it drops everything.
func copyUntil(to io.Writer, from io.Reader, silent <-chan struct{}) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		select {
		case <-silent:
			n = 0
		default:
		}
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

// Silence makes all connections, and those that are made from now on, pass nothing. They stay open.
func (l *Line) Silence() {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.silent)
	l.silent, l.mended = make(chan struct{}), false
}

// Mend lets new connections pass. Those of before stay silent.
func (l *Line) Mend() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.mended = true
}
