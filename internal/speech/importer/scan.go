package importer

import (
	"encoding/json"
	"iter"
)

// members walks the members of an object of a text that is JSON: their names and where their values stand in it.
// Anything else has none.
func members(raw json.RawMessage) iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		for at := open(raw, '{'); at < len(raw) && raw[at] != '}'; at = next(raw, at) {
			end := skip(raw, at)
			var name string
			if json.Unmarshal(raw[at:end], &name) != nil {
				return
			}
			at = space(raw, space(raw, end)+1) // beyond the colon
			end = skip(raw, at)
			if end <= at || !yield(name, raw[at:end:end]) {
				return
			}
			at = end
		}
	}
}

// elements walks the elements of a list of a text that is JSON. Anything else has none.
func elements(raw json.RawMessage) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		for at := open(raw, '['); at < len(raw) && raw[at] != ']'; at = next(raw, at) {
			end := skip(raw, at)
			if end == at || !yield(raw[at:end:end]) {
				return
			}
			at = end
		}
	}
}

// open returns where the first entry of an object or list stands, the end of the text for what begins with another
// mark.
func open(raw []byte, mark byte) int {
	at := space(raw, 0)
	if at >= len(raw) || raw[at] != mark {
		return len(raw)
	}
	return space(raw, at+1)
}

// next returns where the entry after a comma stands, or the mark that closes the list.
func next(raw []byte, at int) int {
	if at = space(raw, at); at < len(raw) && raw[at] == ',' {
		return space(raw, at+1)
	}
	return at
}

func space(raw []byte, at int) int {
	for at < len(raw) && (raw[at] == ' ' || raw[at] == '\t' || raw[at] == '\n' || raw[at] == '\r') {
		at++
	}
	return at
}

// skip returns where a value ends that begins at a place.
func skip(raw []byte, at int) int {
	for depth := 0; at < len(raw); at++ {
		switch raw[at] {
		case '"':
			if at = stringEnd(raw, at); depth == 0 {
				return min(at+1, len(raw))
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth <= 0 {
				return at + 1 + min(depth, 0) // a mark that closes what is around it is no part of the value
			}
		case ',', ':', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return at
			}
		}
	}
	return at
}

// stringEnd returns where the string ends that begins at a place: at its closing mark.
func stringEnd(raw []byte, at int) int {
	for at++; at < len(raw) && raw[at] != '"'; at++ {
		if raw[at] == '\\' {
			at++
		}
	}
	return at
}
