// Package textfile reads text files as common programs save them: metadata, configurations, transcripts, definitions.
//
// It handles encodings and does not interpret the text.
package textfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"unicode/utf16"
	"unicode/utf8"
)

// Read reads a file and decodes it like Decode.
func Read(path string) ([]byte, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Decode(path, raw)
}

// Decode returns a text as UTF-8 without a byte order mark. It converts UTF-16 that starts with one; the error for any
// other encoding has the name of the file, the line and the remedy.
func Decode(name string, raw []byte) ([]byte, error) {
	text, encoding := bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")), "WINDOWS-1252"
	switch {
	case bytes.HasPrefix(raw, []byte("\xff\xfe")):
		text, encoding = fromUTF16(raw[2:], binary.LittleEndian), "UTF-16"
	case bytes.HasPrefix(raw, []byte("\xfe\xff")):
		text, encoding = fromUTF16(raw[2:], binary.BigEndian), "UTF-16"
	}
	at := invalid(text)
	if at < 0 {
		return text, nil
	}
	what := fmt.Sprintf("the byte 0x%02X is not UTF-8", text[at])
	if text[at] == 0 {
		what, encoding = "the text contains a zero byte, as UTF-16 does", "UTF-16"
	} else if encoding == "UTF-16" {
		what = "the UTF-16 text is corrupt"
	}
	return nil, fmt.Errorf("%s:%d: %s; save the file as UTF-8 (Excel: \"CSV UTF-8\"), or convert it: iconv -f %s -t "+
		"UTF-8 FILE",
		name, bytes.Count(text[:at], []byte("\n"))+1, what, encoding)
}

// invalid returns the offset of the first byte that is zero or not valid UTF-8, -1 if there is none.
func invalid(text []byte) int {
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		if r == 0 || r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return -1
}

// fromUTF16 converts UTF-16 to UTF-8. Unpaired surrogates, and an odd byte at the end, become an invalid byte.
func fromUTF16(raw []byte, order binary.ByteOrder) []byte {
	const damaged = 0xff
	var text []byte
	for ; len(raw) >= 2; raw = raw[2:] {
		r := rune(order.Uint16(raw))
		if utf16.IsSurrogate(r) {
			r = utf8.RuneError
			if len(raw) >= 4 {
				r = utf16.DecodeRune(rune(order.Uint16(raw)), rune(order.Uint16(raw[2:])))
			}
			if r == utf8.RuneError {
				return append(text, damaged)
			}
			raw = raw[2:]
		}
		text = utf8.AppendRune(text, r)
	}
	if len(raw) == 1 {
		text = append(text, damaged)
	}
	return text
}
