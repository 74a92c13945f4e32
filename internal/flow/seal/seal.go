// Package seal encrypts for the customer: it makes OpenPGP messages (RFC 9580) that only the holder of the private key
// can read. The customer uploads the public key. The server has no private key, so this package does not decrypt.
//
// It stores no keys and knows nothing about the content. The data keys that protect content until it is sealed are in
// package cipher.
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

// MaxKey is the maximum size of an uploaded key in bytes.
const MaxKey = 256 << 10

// minRSA is the minimum length of an RSA key in bits.
const minRSA = 2048

// Hash identifies a public key as uploaded: its SHA-256, hex.
func Hash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// Key is a public key that can be used for encryption. It is safe for concurrent use.
type Key struct {
	key *crypto.Key
	at  time.Time // when it was checked, and the time it is used as of: it may expire while work waits
}

// Check verifies that an uploaded key can be used for encryption, and that the upload contains nothing else: a second
// key would not be used, and a private one would be stored. Its error is like that of ParseKey.
func Check(content []byte, now time.Time) error {
	if several(content) {
		return wrong("the body contains more than one key; send one public key")
	}
	_, err := ParseKey(content, now)
	return err
}

// ParseKey parses an uploaded public key, armored or binary, and verifies that it can be used for encryption now. The
// error is Invalid with CodePublicKey and says what is wrong and how to fix it.
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

// try encrypts a sample: it detects a key that looks valid but does not work before a recording needs it.
func (k *Key) try() (err error) {
	defer func() {
		if recover() != nil { // of the library, on numbers from outside
			err = wrong("encrypting with the key failed; make another key")
		}
	}()
	if _, e := k.Armored([]byte("x")); e != nil {
		err = wrong("encrypting with the key failed: %w; make another key", e)
	}
	return err
}

func read(content []byte) (*crypto.Key, error) {
	if len(bytes.TrimSpace(content)) == 0 {
		return nil, wrong("the body is empty; send a public key, such as the output of gpg --armor --export")
	}
	key, err := crypto.NewKeyFromReaderExplicit(bytes.NewReader(content), crypto.Auto)
	if err != nil {
		return nil, wrong("not an OpenPGP public key, armored or binary: %w; send the output of gpg --export", err)
	}
	if key.IsPrivate() {
		return nil, wrong("this is a private key; make a new key pair, and send only its public key (gpg --export)")
	}
	return key, nil
}

// several reports whether there is more than one key: in consecutive armor blocks, of which only the first would be
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
		return wrong("the key is revoked; send a valid key")
	case key.IsExpired(unix):
		return wrong("the key has expired; send a valid key")
	case !key.CanEncrypt(unix):
		return wrong("the key has no valid encryption subkey; add one with gpg --quick-add-key and send the key again")
	}
	found, ok := key.GetEntity().EncryptionKey(now, &packet.Config{})
	if !ok {
		return wrong("the key has no encryption subkey that is valid and strong enough; add one with gpg --quick-add-key")
	}
	switch found.PublicKey.PubKeyAlgo {
	case packet.PubKeyAlgoRSA, packet.PubKeyAlgoRSAEncryptOnly:
		if bits, err := found.PublicKey.BitLength(); err != nil || bits < minRSA {
			return wrong("the RSA key has %d bits; use one of %d or more", bits, minRSA)
		}
	case packet.PubKeyAlgoECDH, packet.PubKeyAlgoX25519, packet.PubKeyAlgoX448:
	default:
		return wrong("the algorithm of the key is not supported; use RSA of %d bits or more, or an elliptic curve", minRSA)
	}
	return nil
}

func wrong(format string, args ...any) error {
	return fault.New(fault.Invalid, fault.CodePublicKey, format, args...)
}

// Armored returns a text as one armored message.
func (k *Key) Armored(content []byte) ([]byte, error) {
	var out bytes.Buffer
	err := k.encrypt(&out, bytes.NewReader(content), crypto.Armor)
	return out.Bytes(), err
}

// encrypt writes content to w as one OpenPGP message; memory does not grow with its size. After an error the message is
// incomplete. The key is used even if it has expired since it was checked.
func (k *Key) encrypt(w io.Writer, content io.Reader, encoding int8) error {
	handle, err := crypto.PGPWithProfile(profile.RFC4880()).Encryption().Recipient(k.key).EncryptionTime(
		k.at.Unix()).New()
	if err != nil {
		return err
	}
	buffered := bufio.NewWriterSize(w, 64<<10) // the armor writes line by line
	message, err := handle.EncryptingWriter(buffered, encoding)
	if err != nil {
		return err
	}
	if _, err := io.Copy(message, content); err != nil {
		return err
	}
	return errors.Join(message.Close(), buffered.Flush())
}
