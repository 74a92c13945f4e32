package plan

import (
	"reflect"
	"testing"

	"parley/internal/words/fault"
)

// FuzzParse checks that Parse and Resolve never panic and fail only with a fault of kind Invalid that names problems,
// that resolving is repeatable, and that accepted configurations compile from their source.
func FuzzParse(f *testing.F) {
	for _, k := range keys {
		f.Add([]byte(k.accept))
		f.Add([]byte(k.refuse))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, env := range []Environment{bare(), full(), {WordsGiven: true}} {
			request, err := Parse(text)
			if err != nil {
				mustBeInvalid(t, err)
				return
			}
			request.References()
			p, err := Resolve(request, env)
			if err != nil {
				mustBeInvalid(t, err)
				continue
			}
			again, err := Resolve(request, env)
			if err != nil || !reflect.DeepEqual(again, p) {
				t.Fatalf("%q resolves to %+v, then to %+v (%v)", text, p, again, err)
			}
			if compiled, err := NewSource(text, env).Compile(env); err != nil || !reflect.DeepEqual(compiled, p) {
				t.Fatalf("%q compiles to %+v, not %+v (%v)", text, compiled, p, err)
			}
		}
	})
}

func mustBeInvalid(t *testing.T, err error) {
	t.Helper()
	if !fault.Is(err, fault.Invalid) || len(fault.ProblemsOf(err)) == 0 {
		t.Fatalf("error %v", err)
	}
	for _, p := range fault.ProblemsOf(err) {
		if p.Code == 0 || p.Message == "" {
			t.Fatalf("problem %+v", p)
		}
	}
}
