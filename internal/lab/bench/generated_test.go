package bench

import (
	"path/filepath"
	"testing"

	"parley/internal/testkit/pgtest"
)

func TestGeneratedCallsAreMeasuredOnBothDatabases(t *testing.T) {
	const calls = 70 // enough for a segment
	for name, url := range map[string]func(dir string) string{
		"sqlite":   func(dir string) string { return "sqlite://" + filepath.Join(dir, "parley.db") },
		"postgres": func(string) string { return pgtest.URL(t) },
	} {
		t.Run(name, func(t *testing.T) {
			empty := func() Generated {
				dir := t.TempDir()
				return Generated{URL: url(dir), Dir: dir, Calls: calls, Words: 60}
			}
			stored := int64(0)
			progress := func(what string, done, _ int64) {
				if what == "storing calls" {
					stored += done
				}
			}
			searched, err := Search{Generated: empty(), Queries: 2}.Run(t.Context(), progress)
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range searched.Kinds {
				if k.Median <= 0 || k.Kind == "common phrase" && k.Found != calls {
					t.Errorf("search: %+v", k)
				}
			}
			if onDisk := searched.Database > 0; onDisk != (name == "sqlite") || searched.Own <= 0 {
				t.Errorf("database of %d bytes, index of %d", searched.Database, searched.Own)
			}
			asked, err := Query{Generated: empty(), Queries: 2}.Run(t.Context(), progress)
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range asked.Kinds {
				if k.Median <= 0 || k.Kind == "common phrase" && k.Total != calls || k.Kind == "GROUP BY day" &&
					k.Total != 1 {
					t.Errorf("query: %+v", k)
				}
			}
			if asked.Checked != calls || len(asked.Kinds) == 0 || len(searched.Kinds) == 0 {
				t.Errorf("%+v", asked)
			}
			explored, err := Explore{Generated: empty(), Queries: 2}.Run(t.Context(), progress)
			if err != nil || len(explored.Kinds) == 0 {
				t.Fatal(err)
			}
			for _, k := range explored.Kinds {
				if k.Median <= 0 || (k.Kind == "all calls" || k.Kind == "a common phrase") && k.Total != calls {
					t.Errorf("explore: %+v", k)
				}
			}
			delivered, err := Callbacks{Generated: empty(), Receivers: 2}.Run(t.Context(), progress)
			if err != nil || delivered.Bytes < calls*1000 {
				t.Errorf("%+v, %v", delivered, err)
			}
			if stored != 4*calls {
				t.Errorf("%d calls were stored", stored)
			}
		})
	}
}
