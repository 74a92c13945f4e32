// Package cipher encrypts stored bytes under data keys. Destroying a key makes the bytes unreadable.
//
// Streams use the DARE format (github.com/minio/sio: AES-256-GCM, or ChaCha20-Poly1305 if the processor has no AES
// instructions, in packages of 64 KiB), which supports random access. The package stores nothing itself; package seal
// encrypts messages for customers.
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

// Key is a data key: 32 random bytes, used for one purpose. The empty Key means no encryption.
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

// Encrypt returns a reader of r's bytes encrypted under the key. Errors of r come back wrapped.
func (k Key) Encrypt(r io.Reader) (io.Reader, error) {
	if k == "" {
		return r, nil
	}
	return sio.EncryptReader(completeReader{r}, k.config())
}

// completeReader distinguishes a source that broke off (a cut connection returns io.ErrUnexpectedEOF) from one that reached its
// end: sio treats both as the end.
type completeReader struct{ io.Reader }

func (w completeReader) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if err == io.ErrUnexpectedEOF {
		err = fmt.Errorf("the source ended early: %w", err)
	}
	return n, err
}

// Size returns the encrypted size of so many plain bytes.
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

// Plain is the inverse of Size. It returns an error of kind Internal if no plain size has that encrypted size.
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

// Opener opens length stored bytes from offset; length -1 means to the end.
type Opener func(offset, length int64) (io.ReadCloser, error)

// Open returns length plain bytes from offset, of the size bytes that are stored under the key; length -1 means to the
// end. The range is clamped to the end. Reading fails with a fault of kind Internal if the stored bytes are corrupt;
// other errors of the source come back as they are or wrapped.
func (k Key) Open(stored Opener, size, offset, length int64) (io.ReadCloser, error) {
	if k == "" {
		return stored(offset, length)
	}
	if offset >= size {
		return io.NopCloser(strings.NewReader("")), nil
	}
	first := offset / payload
	// Read to the end: sio checks each package, and that the last one is marked as the last.
	source, err := stored(first*int64(k.Size(payload)), -1)
	if err != nil {
		return nil, err
	}
	config := k.config()
	config.SequenceNumber = uint32(first)
	plain, err := sio.DecryptReader(completeReader{source}, config)
	if err != nil {
		source.Close()
		return nil, damaged(err)
	}
	o := &rangeReader{plain: plain, source: source, left: length}
	if _, err := io.CopyN(io.Discard, checkedReader{plain}, offset%payload); err != nil && err != io.EOF {
		source.Close()
		return nil, err
	}
	return o, nil
}

// payload is the number of plain bytes in one package.
const payload = 64 << 10

// rangeReader reads a range of the stored bytes.
type rangeReader struct {
	plain  io.Reader
	source io.Closer
	left   int64 // bytes left to return; -1: all
}

func (o *rangeReader) Read(p []byte) (int, error) {
	if o.left == 0 {
		return 0, io.EOF
	}
	if o.left > 0 {
		p = p[:min(int64(len(p)), o.left)]
	}
	n, err := checkedReader{o.plain}.Read(p)
	if o.left > 0 {
		o.left -= int64(n)
	}
	return n, err
}

func (o *rangeReader) Close() error { return o.source.Close() }

// checkedReader distinguishes corrupt data from other read errors.
type checkedReader struct{ io.Reader }

func (c checkedReader) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if _, ok := errors.AsType[sio.Error](err); ok {
		err = damaged(err)
	}
	return n, err
}

// Seal encrypts a text under the key.
func (k Key) Seal(text []byte) []byte {
	if k == "" || len(text) == 0 {
		return text
	}
	return k.gcm().Seal(nil, nil, text, nil)
}

// Unseal is the inverse of Seal. The error is of kind Internal if the text is corrupt.
func (k Key) Unseal(text []byte) ([]byte, error) {
	if k == "" || len(text) == 0 {
		return text, nil
	}
	plain, err := k.gcm().Open(nil, nil, text, nil)
	if err != nil {
		return nil, damaged(err)
	}
	return plain, nil
}

// Mask masks another key with this one. Each label must be used for one key only. Masking a second time restores the
// original. Without this key, the masked key reveals nothing about the original.
func (k Key) Mask(label string, other Key) Key {
	mac := hmac.New(sha256.New, []byte(k))
	mac.Write([]byte(label))
	masked := make([]byte, KeyBytes)
	subtle.XORBytes(masked, mac.Sum(nil), []byte(other))
	return Key(masked)
}

// gcm returns AES-256-GCM with a random nonce, which it writes before the text.
func (k Key) gcm() stdcipher.AEAD {
	block, err := aes.NewCipher([]byte(k))
	if err != nil {
		panic(err) // a key of another length than NewKey's
	}
	gcm, err := stdcipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err) // never with AES
	}
	return gcm
}

func damaged(err error) error {
	return fault.New(fault.Internal, fault.CodeInternal, "stored bytes are damaged: %w", err)
}
