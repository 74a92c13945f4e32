package importer

import (
	"encoding/json"
	"reflect"
	"testing"
)

// FuzzPartsOfATextAreThoseThatAnyReaderFinds compares the scanner with encoding/json.
func FuzzPartsOfATextAreThoseThatAnyReaderFinds(f *testing.F) {
	for _, text := range []string{
		`{}`, `[]`, ` { "a" : 1 , "b":[1,{"c":"]}"}],"a":null, "\u0061\"\\":"x\\" } `,
		`[1, "a,\"b" ,[2,[]],{"x":{}}, true]`, `"x"`, `7`, `{"a"`, `[,,`, `{:`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var list []json.RawMessage
		for part := range elements(text) {
			list = append(list, part)
		}
		object := map[string]json.RawMessage{}
		for name, part := range members(text) {
			object[name] = part
		}
		if !json.Valid(text) {
			return // it only has to terminate and stay within the text
		}
		var wantList []json.RawMessage
		json.Unmarshal(text, &wantList)
		var wantObject map[string]json.RawMessage
		json.Unmarshal(text, &wantObject)
		if len(list)+len(wantList) > 0 && !reflect.DeepEqual(list, wantList) {
			t.Errorf("elements of %q: %q, want %q", text, list, wantList)
		}
		if len(object)+len(wantObject) > 0 && !reflect.DeepEqual(object, wantObject) {
			t.Errorf("members of %q: %q, want %q", text, object, wantObject)
		}
	})
}
