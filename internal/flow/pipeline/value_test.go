package pipeline

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// values are the types that stages take and return.
var values = map[string]bool{
	"request": true, "baseline": true, "words": true, "analysis": true, "product": true, "streams": true,
	"outcome": true,
}

// takes returns the names of a function's parameters that are pointers to values.
func takes(f *ast.FuncDecl) map[string]bool {
	names := map[string]bool{}
	fields := f.Type.Params.List
	if f.Recv != nil {
		fields = append(fields[:len(fields):len(fields)], f.Recv.List...)
	}
	for _, field := range fields {
		pointer, ok := field.Type.(*ast.StarExpr)
		if !ok {
			continue
		}
		if t, ok := pointer.X.(*ast.Ident); ok && values[t.Name] {
			for _, name := range field.Names {
				names[name.Name] = true
			}
		}
	}
	return names
}

// into returns the variable that an assignment to an expression writes into; empty if it assigns the variable itself.
func into(e ast.Expr) string {
	for inside := false; ; inside = true {
		switch x := e.(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.Ident:
			if inside {
				return x.Name
			}
			return ""
		default:
			return ""
		}
	}
}

// writes returns the places where a file writes into values passed to its functions, and how many functions take any.
func writes(file *ast.File, at *token.FileSet) (where []string, functions int) {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		names := takes(f)
		if len(names) == 0 {
			continue
		}
		functions++
		note := func(e ast.Expr) {
			if names[into(e)] {
				where = append(where, at.Position(e.Pos()).String())
			}
		}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			switch s := n.(type) {
			case *ast.AssignStmt:
				for _, e := range s.Lhs {
					note(e)
				}
			case *ast.IncDecStmt:
				note(s.X)
			}
			return true
		})
	}
	return where, functions
}

func TestNoStageWritesIntoTheValueThatItTakes(t *testing.T) {
	files := token.NewFileSet()
	parse := func(name string, source any) *ast.File {
		file, err := parser.ParseFile(files, name, source, 0)
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	for body, want := range map[string]int{
		"v.media.Size = 1": 1, "v.warnings[0].Code++": 1, "*v = *w": 1, "w := *v; w.warnings = nil": 0, "v = nil": 0,
	} {
		if where, _ := writes(parse("stage.go", "package p; func stage(v *words) { "+body+" }"),
			files); len(where) != want {
			t.Errorf("%s: found %v", body, where)
		}
	}
	functions := 0
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		where, n := writes(parse(name, nil), files)
		functions += n
		for _, w := range where {
			t.Errorf("%s: a function writes into the value that it takes", w)
		}
	}
	if functions < len(values) {
		t.Errorf("%d functions take values of stages", functions)
	}
}
