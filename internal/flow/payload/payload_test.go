package payload_test

import (
	"context"
	"io"
	"testing"

	"parley/internal/call/codec"
	"parley/internal/call/delivery"
	"parley/internal/call/result"
	"parley/internal/flow/payload"
	"parley/internal/lab/corpus"
	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// furnish stores a call of 1,500 words as a finished item.
func furnish(t testing.TB) (*payload.Renderer, media.Media) {
	s := storetest.SQLite(t)
	codec, err := codec.New()
	if err != nil {
		t.Fatal(err)
	}
	var m media.Media
	call := corpus.New(corpus.Config{Words: 1500}).Call(0)
	err = s.Update(t.Context(), func(tx *store.Tx) error {
		a, err := tx.CreateAccount("a")
		if err != nil {
			return err
		}
		if m, err = tx.InsertMedia(media.Media{Account: a.ID, Status: media.Finished, Length: call.Transcript.Length},
			nil, nil); err != nil {
			return err
		}
		if err := tx.SetProgress(m.ID, media.NewProgress("j")); err != nil {
			return err
		}
		return tx.PutResult(m.ID, store.Result{Version: 1,
			Result: codec.EncodeResult(&result.Open{Transcript: call.Transcript})})
	})
	if err != nil {
		t.Fatal(err)
	}
	return &payload.Renderer{Store: s, Codec: codec, Location: func(context.Context, *media.Media, string) string {
		return ""
	}}, m
}

func TestWhatIsGoneHasNoBody(t *testing.T) {
	r, m := furnish(t)
	for name, d := range map[string]delivery.Delivery{
		"another account's": {Account: account.ID("x"), Media: m.ID,
			Callback: delivery.Callback{Type: delivery.Analytics}},
		"no such stream": {Account: m.Account, Media: m.ID,
			Callback: delivery.Callback{Type: delivery.Media, Stream: media.Original}},
		"no such item": {Account: m.Account, Media: "x",
			Callback: delivery.Callback{Type: delivery.Transcript, Format: "text"}},
	} {
		if _, err := r.Body(t.Context(), d); !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestABodyHasTheLengthThatItSaysEachTimeItIsOpened(t *testing.T) {
	r, m := furnish(t)
	b, err := r.Body(t.Context(), delivery.Delivery{Account: m.Account, Media: m.ID,
		Callback: delivery.Callback{Type: delivery.Analytics}})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		content, err := b.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if n, err := io.Copy(io.Discard, content); err != nil || n != b.Length || n < 50_000 {
			t.Errorf("%d bytes, said %d, %v", n, b.Length, err)
		}
	}
}

func BenchmarkBody(b *testing.B) {
	r, m := furnish(b)
	for b.Loop() {
		if _, err := r.Body(b.Context(),
			delivery.Delivery{Account: m.Account, Media: m.ID,
				Callback: delivery.Callback{Type: delivery.Analytics}}); err != nil {
			b.Fatal(err)
		}
	}
}
