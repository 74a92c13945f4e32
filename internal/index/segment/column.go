package segment

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"parley/internal/query"
)

// column is one field: its distinct values, and for each call that has a value the index of that value. Storage format:
//
//	length of the rest    4 bytes
//	space                 1 byte
//	path                  a JSON list, its length before it as a varint
//	values                their number as a varint, each as below
//	calls                 their number as a varint; then for each the call and the place of its value, 2 bytes each
//
// A value is a type byte followed by a number (8 bytes), a text (length and bytes), a boolean (1 byte) or an instant
// (nanoseconds since 1970, 8 bytes).
type column struct {
	field query.Field
	data  []byte // values and calls
}

// Types of values.
const (
	numberValue  = 1
	textValue    = 2
	truthValue   = 3
	instantValue = 4
)

// drawn is a column under construction.
type drawn struct {
	field  query.Field
	places map[string]uint16 // of the values, by their encoding
	values []byte
	pairs  []byte
	calls  int
}

func appendValue(b []byte, v query.Value) []byte {
	switch x := v.Any().(type) {
	case float64:
		return binary.LittleEndian.AppendUint64(append(b, numberValue), math.Float64bits(x))
	case string:
		b = binary.AppendUvarint(append(b, textValue), uint64(len(x)))
		return append(b, x...)
	case bool:
		if x {
			return append(b, truthValue, 1)
		}
		return append(b, truthValue, 0)
	case time.Time:
		return binary.LittleEndian.AppendUint64(append(b, instantValue), uint64(x.UnixNano()))
	}
	return b
}

// add records the value of a call; calls must be added in order.
func (d *drawn) add(call int, v query.Value) {
	kept := appendValue(nil, v)
	place, ok := d.places[string(kept)]
	if !ok {
		place = uint16(len(d.places))
		d.places[string(kept)] = place
		d.values = append(d.values, kept...)
	}
	d.pairs = binary.LittleEndian.AppendUint16(d.pairs, uint16(call))
	d.pairs = binary.LittleEndian.AppendUint16(d.pairs, place)
	d.calls++
}

func (d *drawn) append(b []byte) []byte {
	path, err := json.Marshal(d.field.Path)
	if err != nil {
		panic(err) // not reached: texts can be encoded
	}
	at := len(b)
	b = append(b, 0, 0, 0, 0, byte(d.field.Space))
	b = append(binary.AppendUvarint(b, uint64(len(path))), path...)
	b = append(binary.AppendUvarint(b, uint64(len(d.places))), d.values...)
	b = append(binary.AppendUvarint(b, uint64(d.calls)), d.pairs...)
	binary.LittleEndian.PutUint32(b[at:], uint32(len(b)-at-4))
	return b
}

// key identifies a field.
func key(f query.Field) string { return string(rune('0'+f.Space)) + strings.Join(f.Path, "\x00") }

func (s *Segment) openColumns() error {
	for rest := s.section[columnsAt]; len(rest) > 0; {
		if len(rest) < 5 {
			return ErrDamaged
		}
		n := binary.LittleEndian.Uint32(rest)
		if uint64(n) > uint64(len(rest)-4) || n < 1 {
			return ErrDamaged
		}
		c, err := openColumn(rest[4 : 4+n])
		if err != nil {
			return err
		}
		s.columns = append(s.columns, c)
		rest = rest[4+n:]
	}
	return nil
}

func openColumn(data []byte) (c column, err error) {
	c.field.Space = query.Space(data[0])
	n, size := binary.Uvarint(data[1:])
	if size <= 0 || n > uint64(len(data)-1-size) {
		return c, ErrDamaged
	}
	path := data[1+size:][:n]
	if json.Unmarshal(path, &c.field.Path) != nil || len(c.field.Path) == 0 {
		return c, ErrDamaged
	}
	c.data = data[1+size+int(n):]
	return c, nil
}

// Fields are the fields of which some call has a value.
func (s *Segment) Fields() []query.Field {
	fields := make([]query.Field, len(s.columns))
	for i, c := range s.columns {
		fields[i] = c.field
	}
	return fields
}

// Field returns the field of a column.
func (s *Segment) Field(column int) query.Field { return s.columns[column].field }

// Columns returns the number of columns.
func (s *Segment) Columns() int { return len(s.columns) }

// Read fills a list, with one element per call, with the values of a column where the list has none yet. cast converts
// values; it may be nil.
func (s *Segment) Read(column int, into []query.Value, cast func(query.Value) query.Value) {
	b := s.columns[column].data
	n, size := binary.Uvarint(b)
	if size <= 0 || n > uint64(len(b)) {
		return
	}
	values := make([]query.Value, 0, n)
	for b = b[size:]; len(values) < int(n); {
		v, rest, ok := readValue(b)
		if !ok {
			return
		}
		if cast != nil {
			v = cast(v)
		}
		values, b = append(values, v), rest
	}
	n, size = binary.Uvarint(b)
	if size <= 0 {
		return
	}
	for b = b[size:]; n > 0 && len(b) >= 4; n, b = n-1, b[4:] {
		call, place := int(binary.LittleEndian.Uint16(b)), int(binary.LittleEndian.Uint16(b[2:]))
		if call < len(into) && place < len(values) && into[call].Missing() {
			into[call] = values[place]
		}
	}
}

func readValue(b []byte) (v query.Value, rest []byte, ok bool) {
	if len(b) < 2 {
		return v, nil, false
	}
	kind, b := b[0], b[1:]
	switch {
	case kind == truthValue:
		return query.Truth(b[0] == 1), b[1:], true
	case kind == textValue:
		n, size := binary.Uvarint(b)
		if size <= 0 || n > uint64(len(b)-size) {
			return v, nil, false
		}
		return query.Text(string(b[size:][:n])), b[size+int(n):], true
	case len(b) < 8:
		return v, nil, false
	case kind == numberValue:
		return query.Number(math.Float64frombits(binary.LittleEndian.Uint64(b))), b[8:], true
	case kind == instantValue:
		return query.Instant(time.Unix(0, int64(binary.LittleEndian.Uint64(b))).UTC()), b[8:], true
	}
	return v, nil, false
}

// sortedColumns returns columns in a deterministic order.
func sortedColumns(all map[string]*drawn) []*drawn {
	var list []*drawn
	for _, d := range all {
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b *drawn) int { return bytes.Compare([]byte(key(a.field)), []byte(key(b.field))) })
	return list
}
