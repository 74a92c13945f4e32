package detect

import "testing"

func TestDetectorsAreNamedOnce(t *testing.T) {
	ids, names := map[string]bool{}, map[string]bool{}
	for _, d := range Detectors() {
		if ids[d.ID] || names[d.Name] {
			t.Errorf("%s is there twice", d.Name)
		}
		ids[d.ID], names[d.Name] = true, true
		if got, ok := ByName(d.Name); !ok || got.ID != d.ID {
			t.Errorf("%s is not found by its name", d.Name)
		}
	}
}
