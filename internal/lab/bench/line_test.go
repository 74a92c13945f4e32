package bench

import (
	"io"
	"net"
	"net/url"
	"testing"
	"time"
)

// repeater is a server that sends back what it gets, and returns its address.
func repeater(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				io.Copy(c, c) // ends when the client does
			}()
		}
	}()
	return listener.Addr().String()
}

func TestALineCountsBytesDelaysRequestsAndEnds(t *testing.T) {
	for _, delay := range []time.Duration{0, 30 * time.Millisecond} {
		l, err := newLine("tcp", repeater(t), delay)
		if err != nil {
			t.Fatal(err)
		}
		c, err := net.Dial("tcp", l.address())
		if err != nil {
			t.Fatal(err)
		}
		for n := range 3 {
			began := time.Now()
			if _, err := c.Write(make([]byte, 100)); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadFull(c, make([]byte, 100)); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); took < delay {
				t.Errorf("request %d took %v with a delay of %v", n, took, delay)
			}
		}
		if l.sent.Load() != 300 || l.received.Load() != 300 {
			t.Errorf("%d bytes were sent and %d received", l.sent.Load(), l.received.Load())
		}
		l.close() // waits for the goroutines of the connection
		if n, err := c.Read(make([]byte, 1)); err == nil {
			t.Errorf("%d bytes arrive through a line that has ended", n)
		}
		c.Close()
	}
}

func TestRequestsThroughALineDoNotWaitForEachOther(t *testing.T) {
	const delay, parts = 50 * time.Millisecond, 20
	l, err := newLine("tcp", repeater(t), delay)
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	c, err := net.Dial("tcp", l.address())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	began := time.Now()
	for range parts {
		if _, err := c.Write(make([]byte, 64<<10)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := io.ReadFull(c, make([]byte, parts*64<<10)); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > parts*delay {
		t.Errorf("%d parts took %v", parts, took)
	}
}

func TestAddressesLeadThroughALine(t *testing.T) {
	l, through, err := lineToDatabase("postgres://user@/calls?host=/run/postgresql&port=5433&connect_timeout=3")
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	if through != "postgres://user@"+l.address()+"/calls?connect_timeout=3" || l.network != "unix" ||
		l.server != "/run/postgresql/.s.PGSQL.5433" {
		t.Errorf("%s leads to %s %s", through, l.network, l.server)
	}
	l, through, err = lineToBucket("s3://calls/parley?endpoint=http://127.0.0.1:9000&path_style=true", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	if through != "s3://calls/parley?endpoint="+url.QueryEscape("http://"+l.address())+"&path_style=true" ||
		l.server != "127.0.0.1:9000" {
		t.Errorf("%s leads to %s", through, l.server)
	}
	for _, place := range []string{"s3://calls", "s3://calls?endpoint=https://s3.example.com:443",
		"s3://calls?endpoint=http://host"} {
		if _, _, err := lineToBucket(place, 0); err == nil {
			t.Errorf("%s: no error", place)
		}
	}
}
