package servertest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// Secrets are digit strings that must not occur anywhere in the output.
type Secrets map[string]bool

// Found returns the numbers that occur in some bytes, in any spelling: as digits with or without separators, in words
// ("four one double two", "oh" for zero), as separate words in JSON, concatenated as in records, in Base64, and in
// compressed data.
func (s Secrets) Found(b []byte) []string {
	found := map[string]bool{}
	unpacker, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(64<<20))
	if err != nil {
		panic(err) // only for unknown options
	}
	defer unpacker.Close()
	s.look(b, unpacker, found)
	var all []string
	for number := range found {
		all = append(all, number)
	}
	slices.Sort(all)
	return all
}

func (s Secrets) look(b []byte, unpacker *zstd.Decoder, found map[string]bool) {
	s.apart(b, found)
	s.together(lower(b), found)
	for _, text := range texts(b) {
		s.apart(text, found)
	}
	for _, frame := range frames(b) {
		if content, err := unpacker.DecodeAll(frame, nil); err == nil || len(content) > 0 {
			s.look(content, unpacker, found)
		}
	}
}

// digits maps number words to digits. It has no single letters.
var digits = map[string]string{
	"zero": "0", "oh": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
	"eight": "8", "nine": "9",
}

// begins marks the bytes with which words and groups of a number begin, in lower case.
var begins = func() (first [256]bool) {
	for _, c := range []byte("zontfsed0123456789") {
		first[c] = true
	}
	return first
}()

// longest is the maximum number of digits of a number.
const longest = 19

// apart searches for numbers whose words or groups are separated from each other.
func (s Secrets) apart(b []byte, found map[string]bool) {
	var chain []string
	times, last := 1, 0
	for at := 0; at < len(b); {
		if !alphanumeric(b[at]) {
			at++
			continue
		}
		end := at
		for end < len(b) && alphanumeric(b[end]) {
			end++
		}
		word := ""
		if begins[b[at]|0x20] {
			word = strings.ToLower(string(b[at:min(end, at+2*longest)]))
		}
		if at-last > 3 {
			chain, times = chain[:0], 1
		}
		switch group := digitsOf(word); {
		case word == "double":
			times = 2
		case word == "triple":
			times = 3
		case group == "":
			chain, times = chain[:0], 1
		default:
			chain, times = append(chain, strings.Repeat(group, times)), 1
			s.ending(chain, found)
		}
		at, last = end, end
	}
}

// digitsOf returns the digits of a number word, empty for other words.
func digitsOf(word string) string {
	if word != "" && strings.Trim(word, "0123456789") == "" && len(word) <= longest {
		return word
	}
	return digits[word]
}

func alphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// ending searches for numbers formed by the last groups of a chain.
func (s Secrets) ending(chain []string, found map[string]bool) {
	number := ""
	for i := len(chain) - 1; i >= 0 && len(number)+len(chain[i]) <= longest; i-- {
		number = chain[i] + number
		if s[number] {
			found[number] = true
		}
	}
}

// together searches for numbers whose words or groups are adjacent to each other and to other words, optionally with a
// dash between.
func (s Secrets) together(b []byte, found map[string]bool) {
	for at, c := range b {
		if !begins[c] {
			continue
		}
		number := ""
		for next := at; len(number) < longest; {
			word, times := next, 1
			switch {
			case bytes.HasPrefix(b[word:], []byte("double")):
				word, times = word+6, 2
			case bytes.HasPrefix(b[word:], []byte("triple")):
				word, times = word+6, 3
			}
			group, length := groupAt(b, word)
			if length == 0 {
				break
			}
			if next = word + length; next < len(b) && b[next] == '-' {
				next++
			}
			number += strings.Repeat(group, times)
			if s[number] {
				found[number] = true
			}
		}
	}
}

// lower converts letters to lower case and leaves bytes that are not text unchanged.
func lower(b []byte) []byte {
	out := slices.Clone(b)
	for i, c := range out {
		if c >= 'A' && c <= 'Z' {
			out[i] = c | 0x20
		}
	}
	return out
}

// groupAt returns the digit whose word starts at a position, or the digits that start there.
func groupAt(b []byte, at int) (group string, length int) {
	if at == len(b) || !begins[b[at]] {
		return "", 0
	}
	for length := 2; length <= 5 && b[at] > '9'; length++ {
		if d := digits[string(b[at:min(at+length, len(b))])]; d != "" {
			return d, length
		}
	}
	end := at
	for end < len(b) && end-at <= longest && b[end] >= '0' && b[end] <= '9' {
		end++
	}
	if at > 0 && b[at-1] >= '0' && b[at-1] <= '9' {
		return "", 0
	}
	return string(b[at:end]), end - at
}

// texts returns the strings of a JSON document, with Base64 decoded, and the concatenated words of its word lists.
func texts(b []byte) [][]byte {
	decoder := json.NewDecoder(bytes.NewReader(b))
	var all, words []byte
	var found [][]byte
	key := ""
	for {
		token, err := decoder.Token()
		if err != nil {
			if len(all) == 0 || !errors.Is(err, io.EOF) {
				return nil
			}
			return append(found, all, words)
		}
		text, is := token.(string)
		if !is {
			key = ""
			continue
		}
		all = append(append(all, text...), ' ')
		if key == "w" || key == "t" {
			words = append(append(words, text...), ' ')
		}
		if content, err := base64.StdEncoding.DecodeString(text); err == nil {
			found = append(found, content)
		}
		key = text
	}
}

// The page size of SQLite, and the header of an overflow page: a number of four bytes.
const (
	page     = 4096
	overflow = 4
)

var magic = []byte{0x28, 0xb5, 0x2f, 0xfd}

// frames returns the possible starts of compressed data: in place, and as stored in a database, split into pages.
func frames(b []byte) (all [][]byte) {
	for at := 0; ; {
		next := bytes.Index(b[at:], magic)
		if next < 0 {
			return all
		}
		at += next
		all = append(all, b[at:])
		if end := (at/page + 1) * page; end < len(b) {
			cut := slices.Clone(b[at:end])
			for ; end < len(b) && len(cut) < 1<<18; end += page {
				cut = append(cut, b[min(end+overflow, len(b)):min(end+page, len(b))]...)
			}
			all = append(all, cut)
		}
		at += len(magic)
	}
}
