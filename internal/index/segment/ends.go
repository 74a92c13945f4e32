package segment

import (
	"bytes"

	"github.com/google/uuid"
)

// Ends returns the ids of the oldest and the newest call; the builder must not be empty.
func (b *Builder) Ends() (oldest, newest uuid.UUID) {
	oldest, newest = b.calls[0].id, b.calls[0].id
	for _, c := range b.calls[1:] {
		if bytes.Compare(c.id[:], oldest[:]) < 0 {
			oldest = c.id
		}
		if bytes.Compare(c.id[:], newest[:]) > 0 {
			newest = c.id
		}
	}
	return oldest, newest
}
