package wire

import (
	"bytes"
	"encoding/base64"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"parley/internal/call/delivery"
)

// nameless are the sections of an item that callbacks cannot include by name; they are present if include is absent.
var nameless = map[string]bool{"Entities": true}

// Every result must be deliverable: this test fails for a section that is added to the item but not to the table.
func TestEverySectionOfAnItemCanBeIncluded(t *testing.T) {
	fields := reflect.TypeFor[Analyses]()
	for i := range fields.NumField() {
		name := fields.Field(i).Name
		var full Delivery
		fill(reflect.ValueOf(&full.Analyses).Elem().Field(i))
		reached := 0
		for _, add := range sections {
			var to Delivery
			if add(&to, &full); !reflect.ValueOf(to.Analyses).Field(i).IsZero() {
				reached++
			}
		}
		if want := map[bool]int{false: 1, true: 0}[nameless[name]]; reached != want {
			t.Errorf("%s is in %d sections, want %d", name, reached, want)
		}
	}
}

func TestEverySectionThatCanBeAskedForIsMade(t *testing.T) {
	if got, want := slices.Sorted(maps.Keys(sections)),
		slices.Sorted(slices.Values(delivery.Sections)); !slices.Equal(got, want) {
		t.Errorf("sections %v are made, %v can be asked for", got, want)
	}
}

func TestAnswersOfReceiversAreTextWhereTheyAre(t *testing.T) {
	cut := strings.Repeat("x", delivery.MaxAnswer-2)
	for _, c := range []struct{ sent, answer, encoding string }{
		{"", "", ""}, {"bad gateway\r\n\tat é 😀", "bad gateway\r\n\tat é 😀", ""},
		{"\x1f\x8b\x08", "H4sI", "Base64"}, {"a\x00", "YQA=", "Base64"}, {"caf\xe9", "Y2Fm6Q==", "Base64"},
		{"\x1b[31m", "G1szMW0=", "Base64"},
		{"\xf0\x9f", "8J8=", "Base64"}, // invalid, and not because of the cut
		{cut + "\xf0\x9f", cut, ""}, {cut + "é", cut + "é", ""},
	} {
		w := newTry(delivery.Try{Answer: []byte(c.sent)})
		if w.Answer != c.answer || w.AnswerEncoding != c.encoding {
			t.Errorf("%.20q is %.20q in %q", c.sent, w.Answer, w.AnswerEncoding)
		}
	}
}

// FuzzAnswersOfReceivers checks that no part of an answer is lost, except a character that the cut has split.
func FuzzAnswersOfReceivers(f *testing.F) {
	f.Add([]byte("not found"))
	f.Add(append(bytes.Repeat([]byte("x"), delivery.MaxAnswer-1), 0xc3))
	f.Fuzz(func(t *testing.T, answer []byte) {
		answer = answer[:min(len(answer), delivery.MaxAnswer)]
		w := newTry(delivery.Try{Answer: answer})
		kept, err := []byte(w.Answer), error(nil)
		if w.AnswerEncoding != "" {
			kept, err = base64.StdEncoding.DecodeString(w.Answer)
		} else if !utf8.Valid(kept) {
			t.Fatalf("%q is no text", kept)
		}
		if err != nil || !bytes.HasPrefix(answer, kept) || len(answer)-len(kept) >= utf8.UTFMax {
			t.Fatalf("%q became %q (%v)", answer, kept, err)
		}
	})
}

// fill sets a value to something other than zero.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
	}
}
