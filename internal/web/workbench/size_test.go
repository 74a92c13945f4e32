package workbench_test

import (
	"os"
	"path/filepath"
	"testing"
)

// Upper bounds of what browsers load, in bytes as compressed with gzip.
const (
	firstBytes  = 60_000  // the page of calls: index.html, app.js, calls.js, style.css
	callBytes   = 30_000  // the page of a call, in addition
	chartBytes  = 25_000  // the first chart
	editorBytes = 125_000 // the first editor of conditions
	allBytes    = 250_000
)

// size returns the size of files of dist, which are named by patterns.
func size(t testing.TB, patterns ...string) (sum int64) {
	t.Helper()
	for _, p := range patterns {
		files, err := filepath.Glob(filepath.Join("dist", p+".gz"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			info, err := os.Stat(file)
			if err != nil {
				t.Fatal(err)
			}
			sum += info.Size()
		}
	}
	return sum
}

func TestPagesAreSmall(t *testing.T) {
	for _, c := range sizes(t) {
		if c.bytes == 0 || c.bytes > c.most {
			t.Errorf("%s: %d bytes, want at most %d", c.what, c.bytes, c.most)
		}
	}
}

type sized struct {
	what        string
	bytes, most int64
}

// sizes are what is loaded, in bytes.
func sizes(t testing.TB) []sized {
	t.Helper()
	return []sized{
		{"first load of Calls", size(t, "index.html", "app.js", "calls.js", "style.css"), firstBytes},
		{"the page of a call", size(t, "call.js"), callBytes},
		{"charts", size(t, "chart.js"), chartBytes},
		{"the editor", size(t, "editor.js"), editorBytes},
		{"everything", size(t, "*"), allBytes},
	}
}
