package definition

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"parley/internal/query"
)

func TestBuiltInDashboardsAreValidWhateverTheCategoriesAre(t *testing.T) {
	long := make([]string, 80)
	for i := range long {
		long[i] = strings.Repeat(`"`, 60+i)
	}
	for _, categories := range [][]string{nil, {"day", "Agent", `a"b\\`}, long} {
		for _, d := range BuiltInDashboards(categories) {
			if !IsBuiltIn(d.Name) || !d.BuiltIn || len(d.Tiles) > MaxTiles {
				t.Errorf("%+v", d)
			}
			for _, tile := range d.Tiles {
				s, err := query.Parse(tile.Statement, nil)
				if err != nil || utf8.RuneCountInString(tile.Statement) > query.MaxLength {
					t.Fatalf("%s: %v", tile.Statement, err)
				}
				var names []string
				for _, i := range s.Select.Items {
					if slices.Contains(names, strings.ToLower(i.As)) {
						t.Errorf("%s: two columns are called %s", tile.Statement, i.As)
					}
					names = append(names, strings.ToLower(i.As))
				}
				if !slices.Contains(Charts, tile.Chart) || tile.Width < 1 || tile.Width > fullWidth || tile.Title == "" {
					t.Errorf("%+v", tile)
				}
			}
		}
	}
}

func TestAddressesOfAPresetAreReplacedAndNothingElse(t *testing.T) {
	for sent, want := range map[string]string{
		`{ "publish" : {"callbacks":[ {"url" : "https://a/\u0062"}, {"type":"analytics"}, null ]}, "x":1.50 }`://
		`{ "publish" : {"callbacks":[ {"url" : "\u003chttps://a/b\u003e"}, {"type":"analytics"}, null ]}, "x":1.50 }`,
		`{"url":"https://a"}`: `{"url":"https://a"}`,
		`{}`:                  `{}`,
	} {
		p := Preset{Configuration: []byte(sent)}
		got := p.WithAddresses(func(a string) string { return "<" + a + ">" })
		if string(got.Configuration) != want || string(p.Configuration) != sent ||
			p.HasCallbacks() != strings.Contains(sent, "callbacks") {
			t.Errorf("%s: %s", sent, got.Configuration)
		}
	}
}

// FuzzParse checks that a document that is accepted is accepted again in the form in which it is answered.
func FuzzParse(f *testing.F) {
	f.Add(`{"tiles":[{"statement":"*","view":{"a":[1]},"width":12,"chart":"BARS"}]}`)
	f.Add(`{"query":"*","view":{}}`)
	f.Add(`{"configuration":{"publish":{"callbacks":[{"url":"https://a"}]}}}`)
	f.Fuzz(func(t *testing.T, sent string) {
		if d, err := ParseDashboard("d", []byte(sent), query.KnownNames{}); err == nil && len(d.Tiles) > MaxTiles {
			t.Errorf("%d tiles", len(d.Tiles))
		}
		if q, err := ParseQuery("q", []byte(sent), query.KnownNames{}); err == nil && len(q.View) > MaxView {
			t.Errorf("a view of %d bytes", len(q.View))
		}
		p, err := ParsePreset("p", []byte(sent))
		if err != nil {
			return
		}
		hidden := p.WithAddresses(func(string) string { return "" })
		if again := hidden.WithAddresses(func(a string) string { return a }); string(again.Configuration) !=
			string(hidden.Configuration) {
			t.Errorf("%s, then %s", hidden.Configuration, again.Configuration)
		}
	})
}
