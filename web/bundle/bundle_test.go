package bundle_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parley/web/bundle"
)

const root = "../.."

func TestTheBundleIsWhatTheSourcesMake(t *testing.T) {
	t.Parallel()
	files, err := bundle.Make(root)
	if err != nil {
		t.Fatal(err)
	}
	var there []string
	entries, err := filepath.Glob(filepath.Join(root, bundle.Dist, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range entries {
		there = append(there, strings.TrimSuffix(filepath.Base(name), ".gz"))
	}
	if want := slices.Sorted(maps.Keys(files)); !slices.Equal(there, want) {
		t.Fatalf("the server embeds %v; the sources make %v: run make web", there, want)
	}
	for name, want := range files {
		got, err := bundle.Read(filepath.Join(root, bundle.Dist, name+".gz"))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the sources make (%v): run make web", name, err)
		}
	}
}

func TestTheTypesOfTheAPIAreThoseOfItsDescription(t *testing.T) {
	t.Parallel()
	want, err := bundle.Types(read(t, "api/openapi.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(read(t, bundle.Wire), want) {
		t.Errorf("%s is not what api/openapi.yaml makes: run make web", bundle.Wire)
	}
}

func TestLibrariesAreAsTheyWereVendored(t *testing.T) {
	t.Parallel()
	sums := map[string]string{}
	for line := range strings.Lines(string(read(t, "web/vendor/SHA256SUMS"))) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		sums[name] = sum
	}
	entries, err := os.ReadDir(filepath.Join(root, "web/vendor"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() == "SHA256SUMS" {
			continue
		}
		sum := sha256.Sum256(read(t, "web/vendor/"+e.Name()))
		if sums[e.Name()] != hex.EncodeToString(sum[:]) {
			t.Errorf("web/vendor/%s has changed since make web-vendor", e.Name())
		}
		delete(sums, e.Name())
	}
	for name := range sums {
		t.Errorf("web/vendor/%s is missing", name)
	}
}

// What the sources must not name: ways to make elements of texts, which run scripts of hostile texts.
var forbidden = regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc|javascript:`)

func TestSourcesMakeNoElementsOfTexts(t *testing.T) {
	t.Parallel()
	seen := 0
	for name, text := range sources(t) {
		seen++
		for i, line := range strings.Split(text, "\n") {
			if forbidden.MatchString(line) {
				t.Errorf("%s:%d: %s", name, i+1, strings.TrimSpace(line))
			}
		}
	}
	if seen < 10 {
		t.Fatalf("only %d sources found", seen)
	}
}

// pageLines is the most lines of a module of a page; everyLines is that of every other source.
const pageLines, everyLines = 300, 700

func TestSourcesAreShort(t *testing.T) {
	t.Parallel()
	for name, text := range sources(t) {
		most := everyLines
		if strings.HasPrefix(name, "pages/") {
			most = pageLines
		}
		if lines := strings.Count(text, "\n"); lines > most && name != "kit/wire.ts" {
			t.Errorf("%s has %d lines; %d are the most", name, lines, most)
		}
	}
}

// imported finds what a source imports of the kit by another way than "kit".
var imported = regexp.MustCompile(`(?m)^import (?:[^t]|t[^y])[^;]*from "(?:\.\./)+(?:kit|frame)/`)

func TestPagesTakeTheKitFromTheFrame(t *testing.T) {
	t.Parallel()
	for name, text := range sources(t) {
		if !strings.HasPrefix(name, "pages/") && !strings.HasPrefix(name, "parts/") {
			continue
		}
		for _, line := range imported.FindAllString(text, -1) {
			t.Errorf("%s: %s: a second copy of the module would be loaded; import from \"kit\"", name, line)
		}
	}
}

// sources returns the scripts and styles of web/src by name.
func sources(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	folder := filepath.Join(root, "web/src")
	err := filepath.WalkDir(folder, func(file string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, file)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(file)
		found[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestTypesSayWhatSchemasSay(t *testing.T) {
	t.Parallel()
	got, err := bundle.Types([]byte(`
components:
  schemas:
    Call:
      type: object
      required: [id]
      properties:
        id: { type: string }
        length: { type: integer, nullable: true }
        kind: { type: string, enum: [a, b] }
        tags: { type: array, items: { type: string, enum: [x, y] } }
        'call-sentiment': { $ref: '#/components/schemas/Figure' }
        metrics: { type: object, additionalProperties: { type: number } }
        any: { type: object, additionalProperties: true }
    Figure: { allOf: [{ $ref: '#/components/schemas/Call' }] }
`))
	want := `// Made from api/openapi.yaml by make web. Do not edit.

export type Call = {
	any?: Record<string, unknown>;
	"call-sentiment"?: Figure;
	id: string;
	kind?: "a" | "b";
	length?: number | null;
	metrics?: Record<string, number>;
	tags?: ("x" | "y")[];
};

export type Figure = Call;
`
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
}
