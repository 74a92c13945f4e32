package main

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
)

// city returns a record of a city in the format of the list.
func city(name, country string, people uint64) []byte {
	text := func(data []byte, number byte, s string) []byte {
		return append(append(data, number<<3|2, byte(len(s))), s...)
	}
	body := binary.AppendUvarint(append(text(text(nil, 2, name), 3, country), 9<<3), people)
	return append(binary.AppendUvarint(nil, uint64(len(body))), body...)
}

func TestCitiesWithEnoughPeopleAreAdded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cities.pbf")
	data := append(append(city("Bogotá", "CO", 7_000_000), city("Smallville", "KS", 500)...),
		city("Denver", "US", 700_000)...)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	g := gazetteer{}
	if err := g.addCities(path); err != nil {
		t.Fatal(err)
	}
	if len(g) != 2 || g["Bogota"] != "p" || g["Denver"] != "p" {
		t.Errorf("%v", g)
	}
	if err := os.WriteFile(path, data[:len(data)-2], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (gazetteer{}).addCities(path); err == nil {
		t.Error("a list that is cut off is taken")
	}
}

func TestNamesThatAreOrdinaryWordsAreMarked(t *testing.T) {
	g := gazetteer{"Mark": "f", "John": "f", "Boston": "p", "Target": "o", "Adams": "sn", "Everest": "n"}
	g.mark(map[string]bool{"mark": true, "john": true, "target": true}, map[string]int{"mark": 40},
		talk{map[string]int{"target": 9}, map[string]int{"target": 1}})
	for name, want := range map[string]string{"Mark": "fc", "John": "f", "Boston": "p", "Target": "oc", "Adams": "s",
		"Everest": "p"} {
		if g[name] != want {
			t.Errorf("%s: %q, want %q", name, g[name], want)
		}
	}
}
