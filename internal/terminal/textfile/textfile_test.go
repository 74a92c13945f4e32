package textfile

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"
)

func encoded(text string, order binary.ByteOrder) []byte {
	var raw []byte
	for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
		var two [2]byte
		order.PutUint16(two[:], unit)
		raw = append(raw, two[:]...)
	}
	return raw
}

func TestTextsAreReadInEveryEncodingThatTheyTell(t *testing.T) {
	const text = "René 😀\nbold�"
	for name, raw := range map[string][]byte{
		"UTF-8": []byte(text), "UTF-8 with a mark": []byte("\ufeff" + text),
		"UTF-16LE": encoded(text, binary.LittleEndian), "UTF-16BE": encoded(text, binary.BigEndian),
	} {
		if got, err := Decode("a.csv", raw); err != nil || string(got) != text {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestOtherEncodingsAreRefusedWithTheLineAndTheRemedy(t *testing.T) {
	little := encoded("ab\n😀", binary.LittleEndian)
	for name, c := range map[string]struct {
		raw  []byte
		want []string
	}{
		"Latin-1": {[]byte("file,a\nx,Ren\xe9\n"),
			[]string{"a.csv:2: the byte 0xE9 is not UTF-8; save", "iconv -f WINDOWS-1252 -t UTF-8 FILE"}},
		"UTF-16, no mark": {[]byte("a\x00b\x00"), []string{"a.csv:1: the text contains a zero byte", "iconv -f UTF-16"}},
		"half a character": {little[:len(little)-2],
			[]string{"a.csv:2: the UTF-16 text is corrupt", "iconv -f UTF-16"}},
		"half a unit": {little[:len(little)-1], []string{"a.csv:2: the UTF-16 text is corrupt"}},
		"a unit and no more": {append(encoded("a", binary.BigEndian), 0xd8, 0x3d),
			[]string{"a.csv:1: the UTF-16 text is corrupt"}},
	} {
		_, err := Decode("a.csv", c.raw)
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", name, err, want)
			}
		}
	}
}
