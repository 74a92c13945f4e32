package stage

import (
	"strings"
	"testing"
	"time"
)

func TestGeneratedConversationsAreTheSameEachTime(t *testing.T) {
	seen := map[string]bool{}
	for n := range 200 {
		a, b := NewTalk(n), NewTalk(n)
		text := ""
		for i, l := range a.Lines {
			if l != b.Lines[i] {
				t.Fatalf("line %d of conversation %d is another the second time", i, n)
			}
			if strings.ContainsAny(l.Text, "{}") || l.Speaker < 0 {
				t.Errorf("conversation %d has the line %+v", n, l)
			}
			text += l.Text
		}
		seen[text] = true
	}
	if len(seen) < 199 {
		t.Errorf("only %d of 200 conversations differ", len(seen))
	}
}

func TestTheLongCallIsThreeHoursLong(t *testing.T) {
	words := long()
	last := time.Duration(words[len(words)-1].E) * time.Millisecond
	if len(words) != longWords || last < longLength-10*time.Minute || last > longLength {
		t.Errorf("%d words end at %v", len(words), last)
	}
}
