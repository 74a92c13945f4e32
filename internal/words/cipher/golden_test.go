package cipher_test

import (
	"bytes"
	"encoding/base64"
	"io"
	"strings"
	"testing"

	"parley/internal/testkit/verify"
	"parley/internal/words/cipher"
)

func TestWhatIsKeptUnderKeysOfVersion1StaysReadable(t *testing.T) {
	const text = "a recording"
	key, storage := cipher.Key(strings.Repeat("k", cipher.KeyBytes)), strings.Repeat("s", cipher.KeyBytes)
	keys := ring(t, base64.StdEncoding.EncodeToString([]byte(storage)))
	if got, err := keys.Unwrap(verify.Golden(t, "wrapped", 1, keys.Wrap(key))); err != nil || got != key {
		t.Errorf("a wrapped key: %x, %v", got, err)
	}
	if got, err := key.Unseal(verify.Golden(t, "sealed", 1, key.Seal([]byte(text)))); err != nil ||
		string(got) != text {
		t.Errorf("a sealed text: %q, %v", got, err)
	}
	masked := verify.Golden(t, "masked", 1, []byte(key.Mask("blob", key)))
	if got := key.Mask("blob", cipher.Key(masked)); got != key {
		t.Errorf("a masked key: %x", got)
	}
	stream := verify.Golden(t, "stream", 1, encrypted(t, key, []byte(text)))
	r, err := key.Open(func(offset, _ int64) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(stream[offset:])), nil
	}, int64(len(text)), 0, -1)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(r); err != nil || string(got) != text {
		t.Errorf("a stream: %q, %v", got, err)
	}
}
