package query

import (
	"go/ast"
	goparser "go/parser"
	gotoken "go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/internal/words/transcript"
)

func TestEveryFunctionIsInTheDocumentation(t *testing.T) {
	page, err := os.ReadFile("../../docs/query.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range functions {
		if !regexp.MustCompile("`" + b.Name + "[(`]").Match(page) {
			t.Errorf("docs/query.md does not have %s", b.form)
		}
	}
}

func TestEveryFunctionIsEvaluatedInOneWay(t *testing.T) {
	for _, b := range functions {
		ways := 0
		for _, way := range []bool{b.value != nil, b.aggregate != nil, b.hits, b.stretches != nil} {
			if way {
				ways++
			}
		}
		if ways != 1 || b.Name != strings.ToLower(b.Name) || !strings.HasPrefix(b.form, b.Name+"(") {
			t.Errorf("%s has %d evaluations and is written %s", b.Name, ways, b.form)
		}
	}
}

// Everything specific to a function is in its row of the table: no other source file refers to a function by name.
func TestNamesOfFunctionsStandInTheirTableAlone(t *testing.T) {
	looked := 0
	for _, pattern := range []string{
		"*.go", "../index/columnar/*.go", "../index/segment/*.go", "../web/api/analytics.go",
		"../web/api/content.go",
	} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			// the unit min is a minute there
			if file == "function.go" || strings.HasSuffix(file, "_test.go") || file == "time.go" {
				continue
			}
			looked++
			source, err := goparser.ParseFile(gotoken.NewFileSet(), file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(source, func(n ast.Node) bool {
				if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == gotoken.STRING {
					text, _ := strconv.Unquote(literal.Value)
					if slices.ContainsFunc(functions, func(b *Builtin) bool {
						return strings.EqualFold(b.Name, text)
					}) {
						t.Errorf("%s has the name %s", file, literal.Value)
					}
				}
				return true
			})
		}
	}
	if looked < 30 {
		t.Errorf("%d files", looked)
	}
}

func TestNamesAreWhatATextRefersTo(t *testing.T) {
	all := func(p *Draft) (names []string) {
		for s := range spaceNames {
			for _, n := range p.Names(Space(s)) {
				names = append(names, spaceNames[s]+":"+n)
			}
		}
		return names
	}
	for text, want := range map[string]string{
		`* SAYS "categories" AND title = "spotting:x" -- prediction:"p"`: "",
		`SELECT Categories:"A", avg(metrics:m) FROM media WHERE spotting:g = 1 GROUP BY categories.b`: "" +
			"metrics:m categories:A categories:b spotting:g",
		`categories:"a" = 1 AND AND prediction:p = "x"`: "categories:a prediction:p",
		`metadata:categories = 1 OR categories:a:b = 1`: "",
	} {
		if got := strings.Join(all(Read(text)), " "); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestNamesAreSpelledAsTheyAreKnown(t *testing.T) {
	known := &KnownNames{Categories: []string{"at-risk"}}
	s, err := Parse(`SELECT CATEGORIES:"at-RISK" AS c FROM media GROUP BY categories:"At-Risk"`, known)
	if want := `SELECT categories:at-risk AS c FROM media GROUP BY categories:at-risk`; err != nil ||
		s.String() != want {
		t.Errorf("%v (%v), want %s", s, err, want)
	}
}

func TestMistakesInNamesAndInTheTextAreToldTogether(t *testing.T) {
	_, err := Parse(`categories:x = 1 AND length = "a" AND categories:y:z = 1`,
		&KnownNames{Categories: []string{"at-risk"}})
	told, _ := err.(*Error)
	var got []string
	for _, m := range told.Mistakes {
		got = append(got, m.Message)
	}
	want := []string{"`x` was not found in categories", "length is a number; compare it with a number",
		`categories needs one name, such as categories:"name"; quote a name that contains dots`}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestEveryFunctionHasACase evaluates each function of the table over three calls whose metadata:x is 4, 10 and 1. In
// each, both speakers talk at once for three seconds, and nobody talks for the five seconds after that.
func TestEveryFunctionHasACase(t *testing.T) {
	numbers := []Value{Number(4), Number(10), Number(1)}
	value := func(call int) func(Field) Value {
		return func(f Field) Value {
			if f.Space == Metadata {
				return numbers[call]
			}
			return Instant(time.Date(2026, 3, 12, 9, 30, 0, 0, time.UTC))
		}
	}
	at := func(speaker, start, end int, text string) transcript.Word {
		return transcript.Word{Text: text, Speaker: speaker, Start: time.Duration(start) * time.Second,
			End: time.Duration(end) * time.Second}
	}
	call := Of(&transcript.Transcript{Length: 10 * time.Second, Speakers: make([]transcript.Speaker, 2),
		Words: []transcript.Word{at(0, 0, 4, "one"), at(1, 1, 4, "two"), at(0, 9, 10, "three")}}, nil)
	missing := map[string]bool{}
	for _, b := range functions {
		missing[b.Name] = true
	}
	for _, c := range []struct {
		text string
		want any
	}{
		{"hits()", nil}, // TestHitsNameTheirCondition covers its list
		{"count(*)", 3.0}, {"count(metadata:x)", 3.0}, {"sum(metadata:x)", 15.0}, {"avg(metadata:x)", 5.0},
		{"min(metadata:x)", 1.0}, {"max(metadata:x)", 10.0}, {"median(metadata:x)", 4.0},
		{"percentile(metadata:x, 100)", 10.0},
		{"date_trunc('month', dateCreated)", time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)},
		{"date_trunc('month', dateCreated, 'America/New_York')", time.Date(2026, 3, 1, 5, 0, 0, 0, time.UTC)},
		{"silence(5s)", true}, {"silence(6s)", false}, {"overtalk(3s)", true}, {"overtalk(4s)", false},
	} {
		name, _, _ := strings.Cut(c.text, "(")
		delete(missing, name)
		var got any
		if builtin(name, inCondition) != nil {
			got, _ = Compile(condition(t, c.text)).Find(call)
		} else {
			s, err := Parse("SELECT "+c.text+" FROM media", nil)
			if err != nil {
				t.Errorf("%s: %v", c.text, err)
				continue
			}
			expr := s.Select.Items[0].Expr
			got = Evaluate(expr, value(0)).Any()
			if IsAggregate(expr) {
				var sum Sum
				for i := range numbers {
					sum.Add(expr.(Function), value(i))
				}
				got = sum.Value(expr.(Function)).Any()
			}
		}
		if got != c.want {
			t.Errorf("%s: %v, want %v", c.text, got, c.want)
		}
	}
	for name := range missing {
		t.Errorf("%s has no case; add one to the table above", name)
	}
}

func TestAggregatesAreThoseOfAllCallsHoweverTheyAreMerged(t *testing.T) {
	values := []Value{Number(4), Text("7"), Text("x"), {}, Number(-1), Truth(true), Number(10)}
	f := Field{Metadata, []string{"f"}}
	for _, c := range []struct {
		name  string
		more  []Expr
		want  Value
		empty Value
	}{
		{"count", nil, Number(6), Number(0)}, {"sum", nil, Number(21), Value{}},
		{"avg", nil, Number(21.0 / 5), Value{}},
		{"min", nil, Number(-1), Value{}}, {"max", nil, Text("x"), Value{}}, {"median", nil, Number(4), Value{}},
		{"percentile", []Expr{Number(25)}, Number(1), Value{}},
	} {
		call := Function{builtin(c.name, inExpression), append([]Expr{f}, c.more...)}
		for cut := range values {
			var sums [2]Sum
			for i, v := range values {
				part := 0
				if i >= cut {
					part = 1
				}
				sums[part].Add(call, func(Field) Value { return v })
			}
			if sums[0].Merge(&sums[1]); sums[0].Value(call) != c.want {
				t.Errorf("%s: %v, want %v", c.name, sums[0].Value(call), c.want)
			}
		}
		if empty := (&Sum{}).Value(call); empty != c.empty {
			t.Errorf("%s of nothing: %v", c.name, empty)
		}
	}
}

func TestPeriodsBeginInUTC(t *testing.T) {
	at := time.Date(2026, 3, 1, 23, 30, 0, 0, time.FixedZone("", -3600)) // Monday, 2 March, in UTC
	for period, want := range map[string]string{"day": "2026-03-02", "week": "2026-03-02", "month": "2026-03-01"} {
		call := Function{builtin("date_trunc", inExpression),
			[]Expr{Text(period), Field{Media, []string{"dateCreated"}}}}
		got, _ := Evaluate(call, func(Field) Value { return Instant(at) }).Any().(time.Time)
		if got.Format("2006-01-02T15:04:05Z07:00") != want+"T00:00:00Z" {
			t.Errorf("%s: %v, want %s", period, got, want)
		}
	}
}
