// Package parley_test holds the code to ARCHITECTURE.md.
package parley_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "parley"

// rule is one row of the map: a package and what it may import of this module.
type rule struct {
	name    string
	imports []string
}

// rules returns the rows of the map by their packages.
func rules(t *testing.T) map[string]rule {
	t.Helper()
	found := map[string]rule{}
	for _, r := range table(t, "map") {
		found[r.name] = r
	}
	return found
}

// table reads a table of ARCHITECTURE.md, which stands between two markers, without its headings.
func table(t *testing.T, marker string) (rows []rule) {
	t.Helper()
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok1 := strings.Cut(string(text), "<!-- "+marker+" -->")
	lines, _, ok2 := strings.Cut(rest, "<!-- end of "+marker+" -->")
	if !ok1 || !ok2 {
		t.Fatalf("ARCHITECTURE.md has no table between the markers of %s", marker)
	}
	for i, line := range strings.Split(strings.TrimSpace(lines), "\n") {
		cells := strings.Split(strings.Trim(line, "| "), "|")
		if i < 2 || len(cells) != 3 || strings.HasPrefix(cells[0], "**") {
			continue
		}
		rows = append(rows, rule{strings.TrimSpace(cells[0]), splitList(cells[2])})
	}
	return rows
}

func splitList(cell string) []string {
	return strings.FieldsFunc(cell, func(r rune) bool { return r == ',' || r == ' ' || r == '–' })
}

// imports returns, for each package of the module, which packages of the module its sources name. Sources
// are read directly, tests apart, so that nothing cached is believed.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := entry.Name(); entry.IsDir() && file != "." &&
			(strings.HasPrefix(name, ".") || name == "testdata" || isModule(file)) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := short(path.Join(module, filepath.ToSlash(filepath.Dir(file))))
		found[pkg] = append(found[pkg], []string{}...)
		for _, spec := range f.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			if strings.HasPrefix(name, module+"/") && !slices.Contains(found[pkg], short(name)) {
				found[pkg] = append(found[pkg], short(name))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// short turns parley/internal/speech/asr/line into asr/line and parley/cmd/parley into /cmd/parley.
func short(importPath string) string {
	name := strings.TrimPrefix(importPath, module)
	return strings.TrimPrefix(name, "/internal/")
}

// folder is the reverse of short.
func folder(name string) string {
	if strings.HasPrefix(name, "/") {
		return filepath.FromSlash("." + name)
	}
	return filepath.Join("internal", filepath.FromSlash(name))
}

func TestEveryPackageStandsOnTheMap(t *testing.T) {
	allowed, found := rules(t), imports(t)
	if len(found) < 20 {
		t.Fatalf("only %d packages found", len(found))
	}
	for name := range found {
		if _, ok := allowed[name]; !ok {
			t.Errorf("package %s is not on the map in ARCHITECTURE.md", name)
		}
	}
	for name := range allowed {
		if _, ok := found[name]; !ok {
			t.Errorf("the map names package %s, which does not exist", name)
		}
	}
}

func TestPackagesImportOnlyWhatTheMapAllows(t *testing.T) {
	allowed := rules(t)
	for name, imported := range imports(t) {
		for _, i := range imported {
			if may := allowed[name].imports; !slices.Contains(may, i) && !slices.Contains(may, "*") {
				t.Errorf("%s imports %s, which the map does not allow", name, i)
			}
		}
	}
}

func TestTheMapIsInOrderOfLayers(t *testing.T) {
	for _, marker := range []string{"map", "wings"} {
		place := map[string]int{}
		rows := table(t, marker)
		for i, r := range rows {
			place[r.name] = i
		}
		for _, r := range rows {
			for _, i := range r.imports {
				if i != "*" && place[i] > place[r.name] {
					t.Errorf("%s may import %s, which stands below it", r.name, i)
				}
			}
		}
	}
}

// wing is the folder of internal that a package lies in; empty for packages outside of it.
func wing(name string) string {
	if strings.HasPrefix(name, "/") {
		return ""
	}
	first, _, _ := strings.Cut(name, "/")
	return first
}

func TestWingsImportOnlyWhatTheirTableAllows(t *testing.T) {
	may := map[string][]string{}
	for _, r := range table(t, "wings") {
		may[r.name] = append(r.imports, r.name)
		if _, err := os.Stat(filepath.Join("internal", r.name, "README.md")); err != nil {
			t.Errorf("the wing %s does not say what lives there: %v", r.name, err)
		}
	}
	if len(may) > 14 {
		t.Errorf("%d wings are too many to remember; 14 at most", len(may))
	}
	for name, imported := range imports(t) {
		w := wing(name)
		if _, ok := may[w]; w != "" && !ok {
			t.Errorf("package %s lies in no wing", name)
		}
		for _, i := range imported {
			if to := wing(i); w != "" && to != "" && !slices.Contains(may[w], "*") && !slices.Contains(may[w], to) {
				t.Errorf("%s imports %s, which the wing %s may not", name, i, w)
			}
		}
	}
}

func TestEveryPackageSaysWhatItIs(t *testing.T) {
	for name := range imports(t) {
		if !documented(t, folder(name)) {
			t.Errorf("package %s has no package comment", name)
		}
	}
}

func documented(t *testing.T, dir string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			t.Fatal(err)
		}
		if f.Doc != nil && len(f.Doc.Text()) > 40 {
			return true
		}
	}
	return false
}

// withoutExample are the packages of the product that other code calls and that have no Example, with the reason.
var withoutExample = map[string]string{
	"analysis/onnx":           "needs the program parley-onnx and a network for it to run",
	"call/result":             "types only",
	"flow/player":             "needs a database, a blob store and ffmpeg",
	"index/callindex":         "needs a database of finished calls and a blob store",
	"index/columnar":          "needs a database of finished calls and a blob store",
	"index/search":            "needs a database of finished calls and a running indexer",
	"lab/bench":               "measures a server",
	"operation/backup":        "needs a database and a blob store",
	"operation/orphan":        "needs a database and a blob store",
	"operation/server":        "is a whole server",
	"speech/asr/pocketsphinx": "needs the libraries and the model of PocketSphinx",
	"web/api":                 "needs a server and a database",
}

func TestEveryPackageShowsHowItIsCalled(t *testing.T) {
	for name := range rules(t) {
		if strings.HasPrefix(name, "/") || strings.HasPrefix(name, "testkit/") || strings.HasPrefix(name, "lab/train/") {
			continue
		}
		files, err := filepath.Glob(filepath.Join(folder(name), "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		shown := slices.ContainsFunc(files, func(file string) bool {
			text, err := os.ReadFile(file)
			_, example, found := strings.Cut(string(text), "\nfunc Example")
			return err == nil && found && strings.Contains(example, "// Output:")
		})
		if reason := withoutExample[name]; shown == (reason != "") {
			t.Errorf("%s: it has an Example that go test runs: %v; it is exempt for this reason: %q", name, shown, reason)
		}
	}
}

func TestTestsOfTheInvariantsExist(t *testing.T) {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`\bTest[A-Z][A-Za-z0-9]+`).FindAllString(string(text), -1)
	if len(named) < 30 {
		t.Fatalf("only %d tests are named", len(named))
	}
	written := sources(t, "_test.go")
	for _, name := range named {
		if !strings.Contains(written, "func "+name+"(") {
			t.Errorf("ARCHITECTURE.md names %s, which does not exist", name)
		}
	}
}

// sources returns the text of all files whose name ends so.
func sources(t *testing.T, ending string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(file, ending) {
			return err
		}
		text, err := os.ReadFile(file)
		all.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}
