// Package cipher keeps bytes under data keys: what is stored for a while, or for as long as nobody asked for more, and
// is unreadable once its key is gone.
//
// Streams are in the DARE format (github.com/minio/sio: AES-256-GCM, or ChaCha20-Poly1305 where the processor has no
// AES, in packages of 64 KiB), which can be read from any place. It stores nothing itself; messages for customers are
// made by package seal.
package cipher

import (
	"crypto/aes"
	stdcipher "crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/minio/sio"

	"parley/internal/words/fault"
)

// Key is a data key: 32 random bytes, used for one thing. The empty one is no key: bytes are as they are.
type Key string

// KeyBytes is the length of a Key.
const KeyBytes = 32

// NewKey returns a new key.
func NewKey() Key {
	key := make([]byte, KeyBytes)
	rand.Read(key) // never fails
	return Key(key)
}

func (k Key) config() sio.Config { return sio.Config{MinVersion: sio.Version20, Key: []byte(k)} }

// Encrypt returns r under the key. Errors of r come back wrapped.
func (k Key) Encrypt(r io.Reader) (io.Reader, error) {
	if k == "" {
		return r, nil
	}
	return sio.EncryptReader(whole{r}, k.config())
}

// whole tells a source that broke off, as a cut connection does with io.ErrUnexpectedEOF, from one that is at its end:
// sio takes both for the end.
type whole struct{ io.Reader }

func (w whole) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if err == io.ErrUnexpectedEOF {
		err = fmt.Errorf("it broke off: %w", err)
	}
	return n, err
}

// Size is how many bytes so many bytes have under the key.
func (k Key) Size(plain int64) int64 {
	if k == "" {
		return plain
	}
	n, err := sio.EncryptedSize(uint64(max(plain, 0)))
	if err != nil {
		return 0 // beyond 256 TB
	}
	return int64(n)
}

// Plain is the inverse of Size; the error is of kind Internal when there is none.
func (k Key) Plain(stored int64) (int64, error) {
	if k == "" {
		return stored, nil
	}
	n, err := sio.DecryptedSize(uint64(max(stored, 0)))
	if err != nil {
		return 0, damaged(err)
	}
	return int64(n), nil
}

// Opener opens what is stored at a place, for a length; -1 means to the end.
type Opener func(offset, length int64) (io.ReadCloser, error)

// Open returns length bytes from offset of the size bytes that are stored under the key; -1 means to the end. What lies
// beyond the end is left out. Reading fails with a fault of kind Internal when the bytes are not what was stored; other
// errors of what is stored come back as they are or wrapped.
func (k Key) Open(stored Opener, size, offset, length int64) (io.ReadCloser, error) {
	if k == "" {
		return stored(offset, length)
	}
	if offset >= size {
		return io.NopCloser(strings.NewReader("")), nil
	}
	first := offset / payload
	// to the end: each package is checked, the last one to be the last
	source, err := stored(first*int64(k.Size(payload)), -1)
	if err != nil {
		return nil, err
	}
	config := k.config()
	config.SequenceNumber = uint32(first)
	plain, err := sio.DecryptReader(whole{source}, config)
	if err != nil {
		source.Close()
		return nil, damaged(err)
	}
	o := &opened{plain: plain, source: source, left: length}
	if _, err := io.CopyN(io.Discard, checked{plain}, offset%payload); err != nil && err != io.EOF {
		source.Close()
		return nil, err
	}
	return o, nil
}

// payload is how many bytes one package holds.
const payload = 64 << 10

// opened is a part of what is stored.
type opened struct {
	plain  io.Reader
	source io.Closer
	left   int64 // bytes to give; -1: all
}

func (o *opened) Read(p []byte) (int, error) {
	if o.left == 0 {
		return 0, io.EOF
	}
	if o.left > 0 {
		p = p[:min(int64(len(p)), o.left)]
	}
	n, err := checked{o.plain}.Read(p)
	if o.left > 0 {
		o.left -= int64(n)
	}
	return n, err
}

func (o *opened) Close() error { return o.source.Close() }

// checked tells damage from other failures of reading.
type checked struct{ io.Reader }

func (c checked) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if _, ok := errors.AsType[sio.Error](err); ok {
		err = damaged(err)
	}
	return n, err
}

// Seal returns a text under the key.
func (k Key) Seal(text []byte) []byte {
	if k == "" || len(text) == 0 {
		return text
	}
	gcm := k.gcm()
	nonce := make([]byte, gcm.NonceSize())
	rand.Read(nonce)
	return gcm.Seal(nonce, nonce, text, nil)
}

// Unseal is the inverse of Seal. The error is of kind Internal when the text is not what was stored.
func (k Key) Unseal(text []byte) ([]byte, error) {
	if k == "" || len(text) == 0 {
		return text, nil
	}
	gcm := k.gcm()
	if len(text) < gcm.NonceSize() {
		return nil, damaged(io.ErrUnexpectedEOF)
	}
	plain, err := gcm.Open(nil, text[:gcm.NonceSize()], text[gcm.NonceSize():], nil)
	if err != nil {
		return nil, damaged(err)
	}
	return plain, nil
}

// Mask returns another key under this one, for a label that no other key is masked with; masked again it is the key as
// it was. Without this key nothing can be told of it.
func (k Key) Mask(label string, other Key) Key {
	mac := hmac.New(sha256.New, []byte(k))
	mac.Write([]byte(label))
	masked := make([]byte, KeyBytes)
	subtle.XORBytes(masked, mac.Sum(nil), []byte(other))
	return Key(masked)
}

func (k Key) gcm() stdcipher.AEAD {
	block, err := aes.NewCipher([]byte(k))
	if err != nil {
		panic(err) // a key of another length than NewKey's
	}
	gcm, err := stdcipher.NewGCM(block)
	if err != nil {
		panic(err) // never with AES
	}
	return gcm
}

func damaged(err error) error {
	return fault.New(fault.Internal, fault.CodeInternal, "stored bytes are damaged: %w", err)
}
