// Package seal encrypts for the customer: OpenPGP messages (RFC 9580) that only the holder of the private key of an
// uploaded public key can read. The server has no such key, so nothing here decrypts.
//
// It keeps no keys and knows nothing of what is encrypted. Data keys, under which things are kept until they are
// sealed, are in package cipher.
package seal

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
	"github.com/ProtonMail/gopenpgp/v3/crypto"
	"github.com/ProtonMail/gopenpgp/v3/profile"

	"parley/internal/words/fault"
)

// MaxKey is the most bytes that an uploaded key may have.
const MaxKey = 256 << 10

// minRSA is the least length of an RSA key, in bits.
const minRSA = 2048

// Hash identifies a public key as it was given: its SHA-256, hex.
func Hash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// Key is a public key that can be encrypted for. It may be used by many goroutines.
type Key struct {
	key *crypto.Key
	at  time.Time // when it was checked, and with which it is used: it may expire while work waits
}

// Check makes sure of a key that is uploaded that it can be encrypted for, and that nothing else came with it: a second
// key would not be used, and a private one would be kept. The fault is that of ParseKey.
func Check(content []byte, now time.Time) error {
	if several(content) {
		return wrong("there is more than one key in it, and recordings are encrypted for one; send a public key by itself")
	}
	_, err := ParseKey(content, now)
	return err
}

// ParseKey reads a public key as it was uploaded, armored or binary, and makes sure that it can be encrypted for now.
// The fault is Invalid with CodePublicKey and says what is wrong and how to mend it.
func ParseKey(content []byte, now time.Time) (*Key, error) {
	key, err := read(content)
	if err != nil {
		return nil, err
	}
	if err := usable(key, now); err != nil {
		return nil, err
	}
	k := &Key{key, now}
	return k, k.try()
}

// try encrypts something: a key that looks right and is not is found out here, and not when a recording waits for it.
func (k *Key) try() (err error) {
	defer func() {
		if recover() != nil { // of the library, which takes foreign numbers
			err = wrong("the key cannot be encrypted for; make another one")
		}
	}()
	if _, e := k.Armored([]byte("x")); e != nil {
		err = wrong("the key cannot be encrypted for: %w; make another one", e)
	}
	return err
}

func read(content []byte) (*crypto.Key, error) {
	if len(bytes.TrimSpace(content)) == 0 {
		return nil, wrong("the body is empty; send the public key itself, such as gpg --armor --export writes it")
	}
	key, err := crypto.NewKeyFromReaderExplicit(bytes.NewReader(content), crypto.Auto)
	if err != nil {
		return nil, wrong("this is no OpenPGP public key, armored or binary: %w; send what gpg --export writes", err)
	}
	if key.IsPrivate() {
		return nil, wrong("this is a private key; keep it, make another pair, and send the public key alone (gpg " +
			"--export)")
	}
	return key, nil
}

// several reports whether there are more keys than one: behind each other in armor, of which the first alone would be
// read, or in one export.
func several(content []byte) bool {
	if bytes.Count(content, []byte("-----BEGIN PGP ")) > 1 {
		return true
	}
	ring, err := openpgp.ReadArmoredKeyRing(bytes.NewReader(content))
	if err != nil {
		ring, err = openpgp.ReadKeyRing(bytes.NewReader(content))
	}
	return err == nil && len(ring) > 1
}

func usable(key *crypto.Key, now time.Time) error {
	unix := now.Unix()
	switch {
	case key.IsRevoked(unix):
		return wrong("the key is revoked; send one that is in force")
	case key.IsExpired(unix):
		return wrong("the key has expired; send one that is in force")
	case !key.CanEncrypt(unix):
		return wrong("the key has no part for encryption that is in force; make one with gpg --quick-add-key, and " +
			"send it again")
	}
	found, ok := key.GetEntity().EncryptionKey(now, &packet.Config{})
	if !ok {
		return wrong("the key has no part for encryption that is in force and strong enough")
	}
	switch found.PublicKey.PubKeyAlgo {
	case packet.PubKeyAlgoRSA, packet.PubKeyAlgoRSAEncryptOnly:
		if bits, err := found.PublicKey.BitLength(); err != nil || bits < minRSA {
			return wrong("the RSA key has %d bits; use one of %d or more", bits, minRSA)
		}
	case packet.PubKeyAlgoECDH, packet.PubKeyAlgoX25519, packet.PubKeyAlgoX448:
	default:
		return wrong("the key is for an algorithm that is not supported; use RSA of %d bits or more, or an elliptic curve", minRSA)
	}
	return nil
}

func wrong(format string, args ...any) error {
	return fault.New(fault.Invalid, fault.CodePublicKey, format, args...)
}

// Writer returns a writer whose bytes go to w as one OpenPGP message. What is written is complete when Close has
// returned without error; memory does not grow with it. The key is used even if it has expired since it was checked.
func (k *Key) Writer(w io.Writer) (io.WriteCloser, error) { return k.writer(w, crypto.Bytes) }

// ArmorWriter is Writer for ASCII armor.
func (k *Key) ArmorWriter(w io.Writer) (io.WriteCloser, error) { return k.writer(w, crypto.Armor) }

func (k *Key) writer(w io.Writer, encoding int8) (io.WriteCloser, error) {
	handle, err := crypto.PGPWithProfile(profile.RFC4880()).Encryption().Recipient(k.key).EncryptionTime(
		k.at.Unix()).New()
	if err != nil {
		return nil, err
	}
	buffered := bufio.NewWriterSize(w, 64<<10) // the armor writes line by line
	inner, err := handle.EncryptingWriter(buffered, encoding)
	if err != nil {
		return nil, err
	}
	return &message{inner, buffered}, nil
}

// message flushes what lies under a message when it ends.
type message struct {
	io.WriteCloser
	under *bufio.Writer
}

func (m *message) Close() error {
	err := m.WriteCloser.Close()
	return errors.Join(err, m.under.Flush())
}

// Armored returns a text as one armored message.
func (k *Key) Armored(content []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := k.ArmorWriter(&out)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(content)
	err = errors.Join(err, w.Close())
	return out.Bytes(), err
}
