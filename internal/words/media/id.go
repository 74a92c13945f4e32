package media

import (
	"time"

	"github.com/google/uuid"

	"parley/internal/words/fault"
)

// NewID returns a new identifier: a UUIDv7, so that identifiers sort by creation time. Within a process they are
// strictly increasing.
func NewID() (ID, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return "", fault.New(fault.Internal, fault.CodeInternal, "create media id: %w", err)
	}
	return ID(id.String()), nil
}

// ParseID parses an identifier from a path or parameter. The error of a malformed one is of kind NotFound.
func ParseID(text string) (ID, error) {
	id, err := uuid.Parse(text)
	if err != nil || len(text) != 36 {
		return "", fault.New(fault.NotFound, fault.CodeNotFound, "no media with id %q", text)
	}
	return ID(id.String()), nil
}

// Created returns the creation time encoded in an identifier, to the millisecond.
func (id ID) Created() time.Time {
	u, err := uuid.Parse(string(id))
	if err != nil {
		return time.Time{}
	}
	ms := int64(0)
	for _, b := range u[:6] {
		ms = ms<<8 | int64(b)
	}
	return time.UnixMilli(ms).UTC()
}
