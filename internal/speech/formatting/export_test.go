package formatting

import "parley/internal/words/transcript"

// Origin maps each word of the original transcript to the index of the word that replaces or contains it.
type Origin []int

// Trace is Apply that also returns the origin of each word.
func Trace(t *transcript.Transcript, r *Request) (*transcript.Transcript, Origin) {
	origin, d, next := make(Origin, len(t.Words)), &draft{}, 0
	if r.Numbers {
		d = newDraft(t)
	}
	for i := range t.Words {
		if r.Numbers && d.head[i] != i {
			origin[i] = origin[d.head[i]]
			continue
		}
		origin[i] = next
		if next++; d.joined[i].comma {
			next++
		}
	}
	return Apply(t, r), origin
}
