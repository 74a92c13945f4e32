package seal_test

import (
	"bytes"
	"fmt"
	"time"

	"github.com/ProtonMail/gopenpgp/v3/crypto"

	"parley/internal/flow/seal"
)

// A customer makes a key pair and uploads the public key; only the private key decrypts what is sealed with it.
func Example() {
	private, _ := crypto.PGP().KeyGeneration().AddUserId("Customer", "customer@example.com").New().GenerateKey()
	public, _ := private.GetArmoredPublicKey()

	key, err := seal.ParseKey([]byte(public), time.Now())
	if err != nil {
		panic(err)
	}
	message, err := key.Armored([]byte("what was said"))
	if err != nil {
		panic(err)
	}
	fmt.Println(bytes.HasPrefix(message, []byte("-----BEGIN PGP MESSAGE-----")))

	decryption, _ := crypto.PGP().Decryption().DecryptionKey(private).New()
	plain, err := decryption.Decrypt(message, crypto.Armor)
	fmt.Println(plain.String(), err)
	// Output:
	// true
	// what was said <nil>
}
