package seal_test

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"parley/internal/flow/seal"
	"parley/internal/testkit/gpgtest"
	"parley/internal/words/fault"
)

func keyOf(t *testing.T, home *gpgtest.Home) *seal.Key {
	t.Helper()
	key, err := seal.ParseKey(home.ECC(t, "reader@example.com"), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func TestWhatIsReadAsAMessageIsDecryptedByGnuPG(t *testing.T) {
	home := gpgtest.New(t)
	key := keyOf(t, home)
	content := bytes.Repeat([]byte("a recording "), 100_000)
	r := key.Reader(bytes.NewReader(content))
	message, err := io.ReadAll(r)
	if err = errors.Join(err, r.Close()); err != nil {
		t.Fatal(err)
	}
	if got := home.Decrypt(t, message); !bytes.Equal(got, content) {
		t.Errorf("%d bytes were decrypted as %d", len(content), len(got))
	}
}

func TestAMessageThatBreaksOffDoesNotPassForOne(t *testing.T) {
	key := keyOf(t, gpgtest.New(t))
	broken := errors.New("the store is away")
	r := key.Reader(io.MultiReader(bytes.NewReader(make([]byte, 300_000)), failing{broken}))
	defer r.Close()
	if _, err := io.Copy(io.Discard, r); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

type failing struct{ error }

func (f failing) Read([]byte) (int, error) { return 0, f.error }

// hostile is content whose Read panics.
type hostile struct{}

func (hostile) Read([]byte) (int, error) { panic("no") }

func TestAPanicWhileAMessageIsMadeIsAnError(t *testing.T) {
	r := keyOf(t, gpgtest.New(t)).Reader(hostile{})
	defer r.Close()
	if _, err := io.Copy(io.Discard, r); !fault.Is(err, fault.Internal) {
		t.Errorf("%v", err)
	}
}

// slow is content whose Read blocks until it is released.
type slow struct{ release chan struct{} }

func (s slow) Read(p []byte) (int, error) {
	<-s.release
	return len(p), nil
}

// The source of the content may be closed after Close: it is no longer being read.
func TestAReaderThatIsClosedWaitsForWhoReadsItsContent(t *testing.T) {
	key := keyOf(t, gpgtest.New(t))
	synctest.Test(t, func(t *testing.T) {
		content := slow{make(chan struct{})}
		r := key.Reader(content)
		closed := make(chan error, 1)
		go func() { closed <- r.Close() }()
		synctest.Wait()
		select {
		case <-closed:
			t.Error("it is closed while its content is being read")
		default:
		}
		close(content.release)
		if err := <-closed; err != nil {
			t.Error(err)
		}
		if _, err := r.Read(make([]byte, 1)); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("%v", err)
		}
	})
}
