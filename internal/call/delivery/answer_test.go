package delivery

import (
	"strings"
	"testing"
)

func TestAnswersAreKeptAsTextInTheirCharset(t *testing.T) {
	long := strings.Repeat("x", MaxAnswer-1)
	wide := strings.Repeat("x\x00", MaxAnswer/2-1)
	for _, c := range []struct{ contentType, sent, kept string }{
		{"text/plain; charset=iso-8859-1", "caf\xe9", "café"},
		{`text/plain; Charset="ISO-8859-1"`, "caf\xe9", "café"},
		{"text/html; charset=windows-1252", "5 \x80 \x93ok\x94", "5 € “ok”"},
		{"text/plain; charset=utf-16", "\xff\xfeo\x00k\x00", "ok"},
		{"text/plain; charset=utf-16", "\xfe\xff\x00o\x00k", "ok"},
		{"text/plain; charset=utf-16le", "o\x00k\x00=\xd8\x00\xde", "ok😀"},
		{"text/plain; charset=utf-16be", "\x00o\x00k", "ok"},
		{"text/plain; charset=shift_jis", "\x93\xfa\x96\x7b", "日本"},
		{"text/plain; charset=utf-8", "\xef\xbb\xbfcafé", "café"},
		{"text/plain; charset=utf-8", "café", "café"},
		{"text/plain; charset=us-ascii", "not found", "not found"},
		{"text/plain; charset=iso-8859-1", "", ""},

		// Bytes that are not valid in the named charset, or without a named charset, stay unchanged.
		{"", "caf\xe9", "caf\xe9"}, {"text/plain", "caf\xe9", "caf\xe9"},
		{"text/plain; charset=", "caf\xe9", "caf\xe9"},
		{"text/plain; charset=klingon", "caf\xe9", "caf\xe9"}, {";;charset=iso-8859-1", "caf\xe9", "caf\xe9"},
		{"text/plain; charset=utf-8", "caf\xe9", "caf\xe9"}, {"text/plain; charset=iso-2022-kr", "ok", "ok"},
		{"text/plain; charset=utf-16", "ok\x00", "ok\x00"}, {"text/plain; charset=utf-16le", "\x00\xd8", "\x00\xd8"},
		{"text/plain; charset=iso-8859-1", "\x1f\x8b\x08", "\x1f\x8b\x08"},
		{"application/octet-stream; charset=windows-1252", "a\x81", "a\x81"},

		// A character that the cut has split is dropped.
		{"text/plain; charset=iso-8859-1", long + "\xe9", long},
		{"text/plain; charset=shift_jis", long + "\x93\xfa", long},
		{"text/plain; charset=utf-16le", wide + "=\xd8\x00\xde", strings.ReplaceAll(wide, "\x00", "")},
		{"text/plain; charset=utf-8", long + "é", long}, {"text/plain", long + "éé", long + "\xc3"},
	} {
		if got := string(Answer(c.contentType, []byte(c.sent))); got != c.kept {
			t.Errorf("%s: of %.20q … %q there is %.20q … %q", c.contentType, c.sent, tail(c.sent), got, tail(got))
		}
	}
}

func tail(text string) string { return text[max(0, len(text)-8):] }

// FuzzAnswersAreKept checks that an answer in any charset is stored, unchanged or as text, and within its bounds.
func FuzzAnswersAreKept(f *testing.F) {
	for _, charset := range []string{"utf-8", "utf-16", "iso-8859-1", "iso-2022-jp", "gb18030", "big5", "replacement",
		"x"} {
		f.Add("text/plain; charset="+charset, []byte("caf\xe9"))
		f.Add("text/plain; charset="+charset, []byte(strings.Repeat("\x80\xff", MaxAnswer)))
	}
	f.Fuzz(func(t *testing.T, contentType string, answer []byte) {
		kept := Answer(contentType, answer)
		_, text := Text(kept)
		if len(kept) > MaxAnswer || !text && string(kept) != string(answer[:min(len(answer), MaxAnswer)]) {
			t.Fatalf("%q in %q became %q", answer, contentType, kept)
		}
	})
}
