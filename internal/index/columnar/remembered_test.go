package columnar

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"parley/internal/words/account"
)

// keyOf returns the key of question n of an account.
func keyOf(a account.ID, n int) rememberedKey {
	return rememberedKey{a, [32]byte{byte(n), byte(n >> 8)}}
}

// answerOf returns an answer of about so many bytes.
func answerOf(bytes int) Distributions {
	return Distributions{All: []Distribution{{Quantiles: make([]float64, bytes/8)}}}
}

func TestAnAccountThatAsksMuchForgetsItsOwnAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r remembered
		r.put(keyOf("small", 0), nil, answerOf(1<<20))
		for n := range 40 {
			for _, a := range []account.ID{"a", "b", "c", "d", "e"} {
				time.Sleep(time.Millisecond)
				r.put(keyOf(a, n), nil, answerOf(1<<20))
			}
			if r.size > mostRemembered || r.sizes["a"] > mostRememberedOne {
				t.Fatalf("%d bytes, %d of one account", r.size, r.sizes["a"])
			}
		}
		if _, ok := r.get(keyOf("small", 0), nil); !ok {
			t.Error("an account with one answer has lost it")
		}
		if _, ok := r.get(keyOf("e", 39), nil); !ok {
			t.Error("the latest answer is forgotten")
		}
		if _, ok := r.get(keyOf("a", 0), nil); ok {
			t.Error("the oldest answer is remembered")
		}
		r.put(keyOf("huge", 0), nil, answerOf(mostRememberedOne+1000))
		if _, ok := r.get(keyOf("huge", 0), nil); ok {
			t.Error("an answer that is too large is remembered")
		}
	})
}

func TestAnswersAreForgottenAfterAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r remembered
		for n := range 3 {
			r.put(keyOf(account.ID(fmt.Sprint(n)), n), nil, answerOf(1000))
		}
		time.Sleep(rememberedFor)
		if _, ok := r.get(keyOf("1", 1), nil); !ok {
			t.Error("forgotten too early")
		}
		time.Sleep(time.Millisecond)
		if _, ok := r.get(keyOf("1", 1), nil); ok {
			t.Error("remembered too long")
		}
		r.put(keyOf("3", 3), nil, answerOf(1000))
		if len(r.entries) != 1 || len(r.sizes) != 1 || r.size != r.sizes["3"] {
			t.Errorf("%d answers, %d bytes, %v", len(r.entries), r.size, r.sizes)
		}
	})
}
