package importer

import (
	"encoding/json"
	"iter"
)

// members iterates over the members of a JSON object: names and values as slices of raw. If raw is not an object
// there are none. raw must be valid JSON.
func members(raw json.RawMessage) iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		for at := open(raw, '{'); at < len(raw) && raw[at] != '}'; at = next(raw, at) {
			end := skip(raw, at)
			var name string
			if json.Unmarshal(raw[at:end], &name) != nil {
				return
			}
			at = space(raw, space(raw, end)+1) // after the colon
			end = skip(raw, at)
			if end <= at || !yield(name, raw[at:end:end]) {
				return
			}
			at = end
		}
	}
}

// elements iterates over the elements of a JSON list. If raw is not a list there are none. raw must be valid JSON.
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

// open returns the offset of the first entry of an object or list, or the length of raw if it does not start with
// mark.
func open(raw []byte, mark byte) int {
	at := space(raw, 0)
	if at >= len(raw) || raw[at] != mark {
		return len(raw)
	}
	return space(raw, at+1)
}

// next returns the offset of the entry after a comma, or of the closing bracket.
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

// skip returns the offset after the value that starts at at.
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
				return at + 1 + min(depth, 0) // the closing bracket of the enclosing value is not part of this one
			}
		case ',', ':', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return at
			}
		}
	}
	return at
}

// stringEnd returns the offset of the closing quote of the string that starts at at.
func stringEnd(raw []byte, at int) int {
	for at++; at < len(raw) && raw[at] != '"'; at++ {
		if raw[at] == '\\' {
			at++
		}
	}
	return at
}
