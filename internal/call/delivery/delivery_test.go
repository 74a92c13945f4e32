package delivery_test

import (
	"encoding/base64"
	"testing"
	"time"

	"parley/internal/call/delivery"
)

func TestTheDefaultScheduleIsSevenAttemptsCountedFromTheEndOfProcessing(t *testing.T) {
	began := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for attempt, minutes := range []int{0, 15, 45, 105, 225, 465, 945} {
		at, more := delivery.Default().At(began, attempt)
		if want := began.Add(time.Duration(minutes) * time.Minute); !more || !at.Equal(want) {
			t.Errorf("attempt %d at %v, want %v", attempt, at, want)
		}
	}
	if at, more := delivery.Default().At(began, 7); more {
		t.Errorf("an eighth attempt at %v", at)
	}
}

// The example of the reference libraries of Standard Webhooks.
func TestSignaturesAreThoseOfStandardWebhooks(t *testing.T) {
	key, err := base64.StdEncoding.DecodeString("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if err != nil {
		t.Fatal(err)
	}
	secret := delivery.Secret{Key: key}
	if text := secret.Text(); text != "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" {
		t.Errorf("the secret reads %q", text)
	}
	other := delivery.Secret{Key: delivery.NewSecret()}
	signer := delivery.NewSigner([]delivery.Secret{secret, other}, "msg_p5jXN8AQM9LWM0D4loKWxJek",
		time.Unix(1614265330, 0))
	for _, part := range []string{`{"test": `, `2432232314}`} {
		signer.Write([]byte(part))
	}
	want := "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
	got := signer.Signatures()
	if len(got) != 2*len(want)+1 || got[:len(want)] != want || got[len(want):len(want)+4] != " v1," {
		t.Errorf("signatures %q, want %q and another", got, want)
	}
}

func TestAnEndpointHasNoSecrets(t *testing.T) {
	c := delivery.Callback{URL: "https://Bucket.Example.com:8443/a%2Fb/c?X-Amz-Signature=secret#f"}
	if got, want := c.Endpoint(), "https://bucket.example.com:8443/a%2Fb/c"; got != want {
		t.Errorf("endpoint %q, want %q", got, want)
	}
}

func TestDeliveriesOfAnAccountToOneHostShareALane(t *testing.T) {
	lane := func(account, address string) string {
		d := delivery.Delivery{Callback: delivery.Callback{URL: address}}
		d.Account = "a"
		if account != "a" {
			d.Account = "b"
		}
		return d.Lane()
	}
	one := lane("a", "https://example.com/one")
	if lane("a", "https://EXAMPLE.com/two?x") != one || lane("b", "https://example.com/one") == one ||
		lane("a", "https://example.com:444/one") == one {
		t.Error("lanes are not those of account and host")
	}
}
