package cipher_test

import (
	"fmt"

	"parley/internal/words/cipher"
)

func ExampleRing() {
	ring, err := cipher.ParseRing([]byte(cipher.NewStorageKey()))
	if err != nil {
		panic(err)
	}
	key := cipher.NewKey()
	sealed := key.Seal([]byte("the transcript"))
	unwrapped, err := ring.Unwrap(ring.Wrap(key))
	if err != nil {
		panic(err)
	}
	text, err := unwrapped.Unseal(sealed)
	fmt.Println(string(text), err)
	// Output: the transcript <nil>
}
