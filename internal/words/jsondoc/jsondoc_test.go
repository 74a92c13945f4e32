package jsondoc

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
)

func limits() Limits { return Limits{Bytes: 1 << 20, Depth: 64, Values: 10000} }

func parse(t *testing.T, text string) *Value {
	t.Helper()
	v, err := Parse([]byte(text), limits())
	if err != nil {
		t.Fatalf("Parse(%q): %v", text, err)
	}
	return v
}

func TestDocumentKeepsEveryByteKeyOrderAndNumberAsSent(t *testing.T) {
	text := `{"z":1.0, "a":12345678901234567890,"nested" : {"é\u00e9":[1e2,-0, "\ud83d\ude00"]} }`
	v := parse(t, " \n"+text+"\t")
	if string(v.Bytes()) != text {
		t.Errorf("bytes are %s", v.Bytes())
	}
	var order []string
	for _, m := range v.Members() {
		order = append(order, m.Name())
	}
	if !slices.Equal(order, []string{"z", "a", "nested"}) {
		t.Errorf("order is %q", order)
	}
	if got := string(v.Get("a").Bytes()); got != "12345678901234567890" {
		t.Errorf("number reads %s", got)
	}
	if got := v.Get("nested", "éé").Items()[2].Text(); got != "😀" {
		t.Errorf("text reads %q", got)
	}
}

func TestPointerLeadsToEveryValue(t *testing.T) {
	v := parse(t, `{"a/b":{"m~n":[10,{"":true}]}}`)
	inner := v.Get("a/b", "m~n").Items()[1].Get("")
	if got := inner.Pointer(); got != "/a~1b/m~0n/1/" {
		t.Errorf("pointer is %q", got)
	}
	if v.Pointer() != "" {
		t.Errorf("the root's pointer is %q", v.Pointer())
	}
}

func TestNullAndTheEmptyListAreAbsent(t *testing.T) {
	v := parse(t, `{"a":null,"b":[],"c":[null,[],1],"d":{},"e":"","f":{"a":null},"g":[null,{"a":[]}],"h":{"a":{"b":null}},"i":{"a":{"b":null},"c":0},"j":{"a":{}}}`)
	for name, absent := range map[string]bool{
		"a": true, "b": true, "c": false, "d": false, "e": false, "f": true, "g": false, "h": true, "i": false,
		"j": false, "x": true,
	} {
		if got := v.Get(name) == nil; got != absent {
			t.Errorf("%s: absent is %v", name, got)
		}
	}
	if n := len(v.Get("g").Items()); n != 1 {
		t.Errorf("g has %d items", n)
	}
	if n := len(v.Get("c").Items()); n != 1 {
		t.Errorf("c has %d items", n)
	}
	if v.Get("f", "a", "b", "c") != nil {
		t.Error("a path through null leads somewhere")
	}
	if v.Sent("f") == nil || v.Sent("x") != nil {
		t.Error("what was sent is not told from what was not")
	}
}

func TestADocumentIsThereWhateverItHas(t *testing.T) {
	for text, absent := range map[string]bool{`{"a":null}`: false, `{}`: false, `null`: true, `[]`: true,
		`[[null]]`: false, `[{}]`: false} {
		if got := parse(t, text).Absent(); got != absent {
			t.Errorf("%s: absent is %v", text, got)
		}
	}
}

func TestOfAKeyGivenTwiceTheLastOneThatIsNotAbsentCounts(t *testing.T) {
	v := parse(t, `{"a":1,"a":2,"a":null}`)
	if n, _ := v.Get("a").Int(); n != 2 {
		t.Errorf("a reads %d", n)
	}
	var pointers []string
	for _, r := range parse(t, `{"a":{"b":1,"b":1},"l":[{"c":1},{"c":1,"c":1}],"a":0}`).Repeated() {
		pointers = append(pointers, r.Pointer())
	}
	if !slices.Equal(pointers, []string{"/a/b", "/l/1/c", "/a"}) {
		t.Errorf("repeated: %q", pointers)
	}
}

func TestWholeNumbers(t *testing.T) {
	for text, want := range map[string]bool{
		"3": true, "3.0": true, "3e0": true, "-0": true, "1e3": true, "9223372036854775807": true,
		"3.5": false, `"3"`: false, "true": false, "1e300": false, "9223372036854775808": false, "null": false,
	} {
		if _, ok := parse(t, text).Int(); ok != want {
			t.Errorf("%s whole: %v", text, ok)
		}
	}
}

func TestWithoutLeavesAllOtherBytes(t *testing.T) {
	for text, want := range map[string]string{
		`{"_links":{"self":1},"a":1.0}`:                  `{"a":1.0}`,
		"{ \"a\" : 1,\n \"_links\":{}, \"b\":[ ] }":      "{ \"a\" : 1, \"b\":[ ] }",
		`{"a":{"_links":1},"_links":2}`:                  `{"a":{"_links":1}}`,
		`{ "_links":1 }`:                                 `{ }`,
		`{"a":1 , "b":2}`:                                `{"a":1 , "b":2}`,
		`{"_links":1,"a":"x , y" ,"_l\u0069nks":{}    }`: `{"a":"x , y"    }`,
	} {
		got := parse(t, text).Without("_links")
		if string(got) != want || !json.Valid(got) {
			t.Errorf("%s became %s, want %s", text, got, want)
		}
	}
}

func TestSyntaxErrorNamesLineAndColumn(t *testing.T) {
	for text, want := range map[string][2]int{
		"{\n  \"ä\": tru\n}": {2, 11}, // the line break in place of the e
		"":                   {1, 1},
		"  ":                 {1, 1},
		"{\"a\":1":           {1, 7},
		"[1,]":               {1, 4},
		"1 2":                {1, 3},
		"\"ab\xff\"":         {1, 4},
		"{'a':1}":            {1, 2},
		"[01]":               {1, 3},
	} {
		_, err := Parse([]byte(text), limits())
		e, ok := errors.AsType[*SyntaxError](err)
		if !ok {
			t.Errorf("%q: error is %v", text, err)
		} else if got := [2]int{e.Line, e.Column}; got != want {
			t.Errorf("%q: at %v, want %v (%v)", text, got, want, err)
		}
	}
}

func TestLimitsHold(t *testing.T) {
	deep := strings.Repeat("[", 65) + strings.Repeat("]", 65)
	wide := "[" + strings.Repeat("0,", 10000) + "0]"
	for name, text := range map[string]string{"deep": deep, "wide": wide} {
		if _, err := Parse([]byte(text), limits()); err == nil {
			t.Errorf("a %s document is taken", name)
		}
	}
	if _, err := Parse([]byte(deep[1:129]), limits()); err != nil {
		t.Errorf("64 levels: %v", err)
	}
	if _, err := Parse(make([]byte, 1<<20+1), limits()); !errors.Is(err, ErrTooLarge) {
		t.Errorf("over-long text: %v", err)
	}
}

func TestByteOrderMarkIsSkipped(t *testing.T) {
	if got := parse(t, "\ufeff{}").Bytes(); string(got) != "{}" {
		t.Errorf("bytes are %q", got)
	}
}

// FuzzParse compares Parse with encoding/json: it accepts valid documents, keeps the bytes, and finds the same value
// under each key.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"a":[1,{"b":"\ud800"}],"a":null}`, `"\\"`, ` [ [ ] , {} ] `, `{"":{"":0}}`,
		"\ufeff1", `{"_links":1 , "x":2}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := Parse(text, limits())
		if err != nil {
			return
		}
		if want := bytes.Trim(bytes.TrimPrefix(text, []byte("\ufeff")), " \t\r\n"); !bytes.Equal(v.Bytes(), want) {
			t.Fatalf("bytes %q of %q", v.Bytes(), text)
		}
		v.Repeated()
		if out := v.Without("_links"); !json.Valid(out) {
			t.Fatalf("%q without a key: %q", text, out)
		}
		compare(t, v)
	})
}

func compare(t *testing.T, v *Value) {
	var want any
	decoder := json.NewDecoder(bytes.NewReader(v.Bytes()))
	decoder.UseNumber()
	if err := decoder.Decode(&want); err != nil {
		t.Fatalf("%s at %s: %v", v.Bytes(), v.Pointer(), err)
	}
	switch want := want.(type) {
	case map[string]any:
		last := map[string]*Value{}
		for _, m := range v.Members() {
			last[m.Name()] = m
		}
		if len(last) != len(want) || v.Kind() != Object {
			t.Fatalf("%s has %d keys, not %d", v.Bytes(), len(last), len(want))
		}
	case []any:
		if v.Kind() != Array || len(v.children) != len(want) {
			t.Fatalf("%s has %d items, not %d", v.Bytes(), len(v.children), len(want))
		}
	case string:
		if v.Text() != want {
			t.Fatalf("%s reads %q, not %q", v.Bytes(), v.Text(), want)
		}
	case json.Number:
		if v.Kind() != Number || string(v.Bytes()) != want.String() {
			t.Fatalf("%s reads as %s", want, v.Bytes())
		}
	case bool:
		if v.Bool() != want {
			t.Fatalf("%s reads %v", v.Bytes(), v.Bool())
		}
	}
	for _, c := range v.children {
		compare(t, c)
	}
}
