package corpus

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"parley/internal/words/media"
)

func TestACallIsTheSameEachTimeAndAnotherOfAnotherSeed(t *testing.T) {
	a, b := New(Config{Seed: 1}), New(Config{Seed: 1})
	for _, n := range []int{0, 7, 999_999} {
		if !reflect.DeepEqual(a.Call(n), b.Call(n)) {
			t.Errorf("call %d is another the second time", n)
		}
	}
	if reflect.DeepEqual(a.Call(7).Transcript, New(Config{Seed: 2}).Call(7).Transcript) {
		t.Error("two seeds make the same call")
	}
}

func TestCallsLookLikeCalls(t *testing.T) {
	c := New(Config{})
	total, different, said := 0, 0, 0
	last := media.ID("")
	const calls = 200
	for n := range calls {
		call := c.Call(n)
		if call.ID <= last || call.ID != c.ID(n) || call.ID.Created() != c.First.Add(time.Duration(n)*c.Every) {
			t.Errorf("id %s of call %d after %s", call.ID, n, last)
		}
		last = call.ID
		m, err := media.ParseMetadata(call.Metadata)
		if err != nil || !strings.HasPrefix(m.Title(), call.Topic) {
			t.Fatalf("metadata %s: %v", call.Metadata, err)
		}
		words := map[string]bool{}
		var text strings.Builder
		for i, w := range call.Transcript.Words {
			if w.End <= w.Start || i > 0 && w.Start < call.Transcript.Words[i-1].End || w.End > call.Transcript.Length {
				t.Fatalf("call %d, word %d: %+v", n, i, w)
			}
			words[w.Text] = true
			text.WriteString(w.Text + " ")
		}
		if strings.Contains(text.String(), "cancel my account") {
			said++
		}
		total, different = total+len(call.Transcript.Words), different+len(words)
		if turns := call.Transcript.Turns(); len(turns) < 5 {
			t.Errorf("call %d has %d turns", n, len(turns))
		}
	}
	t.Logf("%d words a call, %d different; %d of %d calls are cancellations", total/calls, different/calls, said, calls)
	if total/calls < 1350 || total/calls > 1650 || different/calls < 350 || different/calls > 550 || said < calls/4 {
		t.Error("that is not what calls are like")
	}
}

func BenchmarkCall(b *testing.B) {
	c := New(Config{})
	for n := 0; b.Loop(); n++ {
		c.Call(n)
	}
}
