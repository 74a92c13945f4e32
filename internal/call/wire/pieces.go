package wire

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Sizes, in bytes, of the pieces and of the parts that they consist of.
const (
	PieceSize = 64 << 10 // approximate size of a piece
	atOnce    = 4 << 10  // maximum size of a value that package json encodes in one call
)

// Pieces encodes an answer as Marshal does, but in pieces, so that a large answer is never in memory as a whole. last
// is true for the last piece. A piece is valid until the next one. Pieces panics on values that Marshal cannot encode,
// which are metadata with invalid JSON.
func Pieces(v any) iter.Seq2[[]byte, bool] { return pieces(v, PieceSize, atOnce) }

func pieces(v any, size, most int) iter.Seq2[[]byte, bool] {
	return func(yield func(piece []byte, last bool) bool) {
		p := &pieceWriter{size: size, most: most, yield: yield}
		p.encoder = json.NewEncoder(&p.leaf)
		p.encoder.SetEscapeHTML(false)
		p.value(reflect.ValueOf(v))
		if !p.ended {
			yield(append(p.piece, '\n'), true)
		}
	}
}

// pieceWriter encodes one answer.
type pieceWriter struct {
	size, most int
	yield      func([]byte, bool) bool
	piece      []byte
	ended      bool // the consumer stopped
	leaf       bytes.Buffer
	encoder    *json.Encoder // into leaf
}

// add appends encoded text and yields full pieces.
func (p *pieceWriter) add(text string) {
	if p.ended {
		return
	}
	p.piece = append(p.piece, text...)
	if len(p.piece) >= p.size {
		p.ended = !p.yield(p.piece, false)
		p.piece = p.piece[:0]
	}
}

var (
	marshaler     = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
	rawMessage    = reflect.TypeFor[json.RawMessage]()
	moment        = reflect.TypeFor[Time]()
)

// value encodes small values in one call of package json, and the parts of larger ones one after the other.
func (p *pieceWriter) value(v reflect.Value) {
	if p.ended {
		return
	}
	room := p.most
	if !v.IsValid() || fits(v, &room) || absent(v) {
		p.whole(v)
		return
	}
	switch t := v.Type(); {
	case t == rawMessage:
		p.raw(v.Bytes())
	case t.Implements(marshaler), t.Implements(textMarshaler):
		p.whole(v)
	case t.Kind() == reflect.Pointer, t.Kind() == reflect.Interface:
		p.value(v.Elem())
	case t.Kind() == reflect.String:
		p.text(v.String())
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		p.base64(v.Bytes())
	case t.Kind() == reflect.Slice:
		p.list(v)
	case t.Kind() == reflect.Struct:
		p.object(v)
	default: // a map: links, which are few
		p.whole(v)
	}
}

// absent reports whether a value is null.
func absent(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
		return v.IsNil()
	}
	return false
}

// whole encodes a value with package json.
func (p *pieceWriter) whole(v reflect.Value) { p.add(string(p.encoded(v))) }

func (p *pieceWriter) encoded(v reflect.Value) []byte {
	var value any
	if v.IsValid() {
		value = v.Interface()
	}
	p.leaf.Reset()
	if err := p.encoder.Encode(value); err != nil {
		panic(fmt.Sprintf("wire: %v", err))
	}
	return bytes.TrimSuffix(p.leaf.Bytes(), []byte("\n"))
}

// list encodes a list. It encodes elements together as long as they are small in total.
func (p *pieceWriter) list(v reflect.Value) {
	p.add("[")
	for from := 0; from < v.Len() && !p.ended; {
		if from > 0 {
			p.add(",")
		}
		room, to := p.most, from
		for to < v.Len() && fits(v.Index(to), &room) {
			to++
		}
		if to == from {
			p.value(v.Index(from))
			from++
			continue
		}
		some := p.encoded(v.Slice(from, to))
		p.add(string(some[1 : len(some)-1]))
		from = to
	}
	p.add("]")
}

// object encodes a struct field by field.
func (p *pieceWriter) object(v reflect.Value) {
	before := "{"
	for _, f := range fieldsOf(v.Type()) {
		field := v.FieldByIndex(f.index)
		if f.omitEmpty && empty(field) || f.omitZero && zero(field) {
			continue
		}
		p.add(before + f.name)
		p.value(field)
		before = ","
	}
	if before == "{" {
		p.add(before)
	}
	p.add("}")
}

// text encodes a string in parts, split between characters.
func (p *pieceWriter) text(s string) {
	p.add(`"`)
	for len(s) > 0 && !p.ended {
		n := min(len(s), p.most)
		for k := 1; n < len(s) && k < utf8.UTFMax && !utf8.RuneStart(s[n]); k++ {
			n++
		}
		part := p.encoded(reflect.ValueOf(s[:n]))
		p.add(string(part[1 : len(part)-1]))
		s = s[n:]
	}
	p.add(`"`)
}

func (p *pieceWriter) base64(b []byte) {
	p.add(`"`)
	for part := range slices.Chunk(b, 3*p.most) { // whole groups of three bytes
		p.add(base64.StdEncoding.EncodeToString(part))
	}
	p.add(`"`)
}

// raw writes JSON from a client, without white space between its values.
func (p *pieceWriter) raw(sent []byte) {
	if !json.Valid(sent) {
		panic("wire: the metadata is not JSON")
	}
	quoted, escaped := false, false
	for part := range slices.Chunk(sent, p.most) {
		kept := make([]byte, 0, len(part))
		for _, c := range part {
			if !quoted && (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
				continue
			}
			kept = append(kept, c)
			switch {
			case escaped:
				escaped = false
			case quoted && c == '\\':
				escaped = true
			case c == '"':
				quoted = !quoted
			}
		}
		p.add(string(kept))
	}
}

// fits subtracts the approximate size of a value from room, and reports whether it fit.
func fits(v reflect.Value, room *int) bool {
	*room -= 8
	switch v.Kind() {
	case reflect.String:
		*room -= v.Len()
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			*room -= v.Len()
			break
		}
		for i := 0; i < v.Len() && *room >= 0; i++ {
			fits(v.Index(i), room)
		}
	case reflect.Struct:
		for i := 0; i < v.NumField() && *room >= 0 && v.Type() != moment; i++ {
			fits(v.Field(i), room)
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			fits(v.Elem(), room)
		}
	case reflect.Map:
		for each := v.MapRange(); each.Next() && *room >= 0; {
			fits(each.Key(), room)
			fits(each.Value(), room)
		}
	}
	return *room >= 0
}

// structField is a field of a struct as package json encodes it.
type structField struct {
	name                string // encoded, including the colon
	index               []int
	omitEmpty, omitZero bool
}

var knownFields sync.Map // of reflect.Type: []structField

// fieldsOf returns the fields of a struct in order, including those of embedded structs. Among fields with the same
// name, the outermost wins.
func fieldsOf(t reflect.Type) []structField {
	if known, ok := knownFields.Load(t); ok {
		return known.([]structField)
	}
	var all []structField
	for _, f := range reflect.VisibleFields(t) { // visible: not hidden by an outer one of the same Go name
		tag, tagged := f.Tag.Lookup("json")
		name, options, _ := strings.Cut(tag, ",")
		if !f.IsExported() || tag == "-" || f.Anonymous && !tagged {
			continue
		}
		name = cmp.Or(name, f.Name)
		all = append(all, structField{
			name: `"` + name + `":`, index: f.Index,
			omitEmpty: strings.Contains(options, "omitempty"), omitZero: strings.Contains(options, "omitzero"),
		})
	}
	outermost := map[string]int{}
	for _, f := range all {
		if depth, ok := outermost[f.name]; !ok || len(f.index) < depth {
			outermost[f.name] = len(f.index)
		}
	}
	all = slices.DeleteFunc(all, func(f structField) bool { return len(f.index) > outermost[f.name] })
	knownFields.Store(t, all)
	return all
}

// empty reports whether omitempty omits a value.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.String, reflect.Array:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

// zero reports whether omitzero omits a value.
func zero(v reflect.Value) bool {
	if z, ok := v.Interface().(interface{ IsZero() bool }); ok {
		return z.IsZero()
	}
	return v.IsZero()
}
