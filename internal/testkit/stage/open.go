package stage

import (
	"testing"

	"parley/internal/testkit/servertest"
)

// Full starts a server with calls of every kind, definitions, deliveries and keys. It is a copy of a folder that the
// first test of a week fills, which takes a minute or two.
func Full(t *testing.T) (*Stage, *servertest.Server) {
	t.Helper()
	dir := t.TempDir()
	full, err := full(t.Context(), func(what string) { t.Log(what) })
	if err == nil {
		err = duplicate(full, dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if receiver, err := NewReceiver(t.Context(), s.Receiver); err == nil { // if another test has it, that one accepts
		t.Cleanup(func() { receiver.Close() })
	}
	running := open(t, dir, s.Token)
	s.Base, s.server = running.Base, running.Server
	return s, running
}

// Empty starts a server whose account has nothing.
func Empty(t *testing.T) *servertest.Server {
	t.Helper()
	return servertest.Start(t, servertest.Options{Engines: Engines(), Settings: Settings})
}

// open starts a server on a filled folder.
func open(t *testing.T, dir, token string) *servertest.Server {
	t.Helper()
	return servertest.Start(t, servertest.Options{Dir: dir, Token: token, Engines: Engines(),
		Settings: Settings})
}
