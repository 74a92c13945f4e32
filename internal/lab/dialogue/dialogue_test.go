package dialogue

import (
	"reflect"
	"testing"
)

func TestTheSameSeedMakesTheSameCall(t *testing.T) {
	if a, b := Make(7, 0), Make(7, 0); !reflect.DeepEqual(a, b) {
		t.Error("two calls of one seed differ")
	}
	if a, b := Make(7, 0), Make(8, 0); reflect.DeepEqual(a, b) {
		t.Error("two seeds make the same call")
	}
}

func TestCallsHaveNumbersOfAllKinds(t *testing.T) {
	for set := range Sets {
		seen := map[Kind]int{}
		for seed := range uint64(300) {
			c := Make(seed, set)
			if len(c.Labels) != len(c.Transcript.Words) {
				t.Fatalf("%d labels of %d words", len(c.Labels), len(c.Transcript.Words))
			}
			for _, k := range c.Labels {
				seen[k]++
			}
		}
		for _, k := range []Kind{Card, Expiry, Security, Social, Phone, Birthdate, Email, Name, Account, Order, Zip,
			Price, Date, Clock, Count, LastFour} {
			if seen[k] < 10 {
				t.Errorf("set %d: %d words of kind %s in 300 calls", set, seen[k], k)
			}
		}
	}
}
