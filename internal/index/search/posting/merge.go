package posting

import (
	"bytes"
	"slices"
)

// Source is a segment to merge.
type Source struct {
	Next  func() ([]byte, error) // the next block, nil after the last
	Moved []int                  // new number of each of its calls; -1: dropped
}

// cursor is the reading state of a Source.
type cursor struct {
	Source
	reader
	ended bool
}

func (c *cursor) advance() error {
	for {
		ok, err := c.reader.next()
		if err != nil || ok {
			return err
		}
		block, err := c.Next()
		if err != nil {
			return err
		}
		if block == nil {
			c.ended = true
			return nil
		}
		c.reader = reader{rest: block, key: c.reader.key[:0]}
	}
}

// Merge writes one segment from several sources in blocks of about size bytes. Each of its calls must come from exactly
// one source.
func Merge(sources []Source, calls, size int, emit Emit) error {
	open := make([]*cursor, 0, len(sources))
	for _, s := range sources {
		c := &cursor{Source: s}
		if err := c.advance(); err != nil {
			return err
		}
		open = append(open, c)
	}
	w := &writer{emit: emit, size: size, calls: calls}
	var key []byte
	var list []uint16
	for {
		if open = slices.DeleteFunc(open, func(c *cursor) bool { return c.ended }); len(open) == 0 {
			return w.flush()
		}
		least := open[0]
		for _, c := range open[1:] {
			if bytes.Compare(c.key, least.key) < 0 {
				least = c
			}
		}
		key, list = append(key[:0], least.key...), list[:0]
		for _, c := range open {
			if !bytes.Equal(c.key, key) {
				continue
			}
			var err error
			if list, err = c.collect(list); err == nil {
				err = c.advance()
			}
			if err != nil {
				return err
			}
		}
		if len(list) == 0 {
			continue
		}
		if !slices.IsSorted(list) {
			slices.Sort(list)
		}
		if err := w.add(key, list); err != nil {
			return err
		}
	}
}

// collect appends the calls of the current entry with their new numbers.
func (c *cursor) collect(list []uint16) ([]uint16, error) {
	inside := true
	err := calls(c.list, c.bitmap, func(call int) bool {
		if inside = call < len(c.Moved); inside && c.Moved[call] >= 0 {
			list = append(list, uint16(c.Moved[call]))
		}
		return inside
	})
	if err == nil && !inside {
		err = ErrDamaged
	}
	return list, err
}
