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
	"parley/internal/words/packed"
)

// column is one field: its distinct values, and for each call that has a value the index of that value. The section of
// the fields has for each column:
//
//	space                 1 byte
//	path                  a JSON list, its length before it as a varint
//	place                 offset into the section of the columns, and length, as varints
//
// The section of the columns has at that place:
//
//	values                their number as a varint, each as below
//	calls                 their number as a varint; then for each the call and the place of its value, 2 bytes each
//
// A value is a type byte followed by a number (8 bytes), a text (length and bytes), a boolean (1 byte) or an instant
// (nanoseconds since 1970, 8 bytes).
type column struct {
	field query.Field
	name  string // of the field
	extent
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
func (d *drawn) add(call int, v query.Value) { d.addEncoded(call, appendValue(nil, v)) }

func (d *drawn) addEncoded(call int, kept []byte) {
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

// append appends the column to its section, and its entry to the directory.
func (d *drawn) append(fields, columns []byte) ([]byte, []byte) {
	path, err := json.Marshal(d.field.Path)
	if err != nil {
		panic(err) // not reached: texts can be encoded
	}
	at := len(columns)
	columns = append(binary.AppendUvarint(columns, uint64(len(d.places))), d.values...)
	columns = append(binary.AppendUvarint(columns, uint64(d.calls)), d.pairs...)
	fields = append(fields, byte(d.field.Space))
	fields = append(binary.AppendUvarint(fields, uint64(len(path))), path...)
	fields = binary.AppendUvarint(fields, uint64(at))
	return binary.AppendUvarint(fields, uint64(len(columns)-at)), columns
}

// key identifies a field.
func key(f query.Field) string { return string(rune('0'+f.Space)) + strings.Join(f.Path, "\x00") }

// openColumns reads the directory.
func (s *Segment) openColumns() {
	r := packed.Reader{Rest: s.bytes(fieldsAt, 0, s.section[fieldsAt].size)}
	for len(r.Rest) > 0 {
		var c column
		c.field.Space = query.Space(r.Take(1)[0])
		path := r.Bytes()
		at, size := r.Uvarint(), r.Uvarint()
		whole := uint64(s.section[columnsAt].size)
		if r.Broken || at > whole || size > whole-at || json.Unmarshal(path, &c.field.Path) != nil ||
			len(c.field.Path) == 0 || !c.field.Space.Known() {
			s.fail(ErrDamaged)
			return
		}
		c.extent, c.name = extent{int(at), int(size)}, c.field.String()
		s.columns = append(s.columns, c)
	}
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

// Name returns the name of the field of a column.
func (s *Segment) Name(column int) string { return s.columns[column].name }

// Columns returns the number of columns.
func (s *Segment) Columns() int { return len(s.columns) }

// Read fills a list, with one element per call, with the values of a column where the list has none yet. cast converts
// values; it may be nil.
func (s *Segment) Read(column int, into []query.Value, cast func(query.Value) query.Value) {
	encoded, pairs := s.encodedColumn(column)
	values := make([]query.Value, len(encoded))
	for i, b := range encoded {
		values[i] = decodeValue(b)
		if cast != nil {
			values[i] = cast(values[i])
		}
	}
	for ; len(pairs) > 0; pairs = pairs[4:] {
		call, place := int(binary.LittleEndian.Uint16(pairs)), int(binary.LittleEndian.Uint16(pairs[2:]))
		if call >= len(into) || place >= len(values) {
			s.fail(ErrDamaged)
			return
		}
		if into[call].Missing() {
			into[call] = values[place]
		}
	}
}

// encodedColumn returns the values of a column as they are stored, and the calls that have them.
func (s *Segment) encodedColumn(i int) (values [][]byte, pairs []byte) {
	stored, n, pairs := s.stored(i)
	values = make([][]byte, n)
	for i := range values {
		size := valueSize(stored)
		values[i], stored = stored[:size], stored[size:]
	}
	return values, pairs
}

// stored returns the values of a column one after the other, their number, and the calls that have them. All values are
// valid.
func (s *Segment) stored(i int) (values []byte, n int, pairs []byte) {
	c := s.columns[i]
	r := packed.Reader{Rest: s.bytes(columnsAt, c.at, c.size)}
	n = r.Count(2)
	values = r.Rest
	for range n {
		size := valueSize(r.Rest)
		if size == 0 {
			s.fail(ErrDamaged)
			return nil, 0, nil
		}
		r.Take(size)
	}
	values = values[:len(values)-len(r.Rest)]
	pairs = r.Take(4 * r.Count(4))
	if r.Broken || len(r.Rest) > 0 {
		s.fail(ErrDamaged)
		return nil, 0, nil
	}
	return values, n, pairs
}

// valueSize returns the length of the stored value at the start of b; 0 if there is none.
func valueSize(b []byte) (size int) {
	if len(b) < 2 {
		return 0
	}
	switch b[0] {
	case truthValue:
		size = 2
	case textValue:
		n, digits := binary.Uvarint(b[1:])
		if digits <= 0 || n > uint64(len(b)) {
			return 0
		}
		size = 1 + digits + int(n)
	case numberValue, instantValue:
		size = 9
	}
	if size > len(b) {
		return 0
	}
	return size
}

// decodeValue returns a stored value of the length that valueSize returns.
func decodeValue(b []byte) query.Value {
	kind, b := b[0], b[1:]
	switch kind {
	case truthValue:
		return query.Truth(b[0] == 1)
	case textValue:
		_, digits := binary.Uvarint(b)
		return query.Text(string(b[digits:]))
	case instantValue:
		return query.Instant(time.Unix(0, int64(binary.LittleEndian.Uint64(b))).UTC())
	}
	return query.Number(math.Float64frombits(binary.LittleEndian.Uint64(b)))
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
