package main

import (
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"unicode"
)

// readComments returns the prose of the doc comments in the Go sources below a folder, one entry per paragraph, in the
// order of the files. It skips paragraphs that are mostly code.
func readComments(dir string) ([]string, error) {
	var all []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && skipped(entry.Name()) {
			return fs.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil // some files of a source tree do not compile
		}
		all = append(all, proseOf(file)...)
		return nil
	})
	return all, err
}

func skipped(folder string) bool {
	switch folder {
	case "testdata", "vendor", "cmd", "internal", "syscall", "runtime", "simd":
		return true
	}
	return false
}

func proseOf(file *ast.File) []string {
	var all []string
	docs := []*ast.CommentGroup{file.Doc}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			docs = append(docs, d.Doc)
		case *ast.GenDecl:
			docs = append(docs, d.Doc)
		}
	}
	for _, group := range docs {
		if group == nil {
			continue
		}
		var p comment.Parser
		for _, block := range p.Parse(group.Text()).Content {
			if paragraph, ok := block.(*comment.Paragraph); ok {
				var printer comment.Printer
				text := strings.Join(strings.Fields(
					string(printer.Text(&comment.Doc{Content: []comment.Block{paragraph}}))), " ")
				if prose(text) {
					all = append(all, text)
				}
			}
		}
	}
	return all
}

// prose reports whether a paragraph has at least twelve words and nearly all look like English.
func prose(text string) bool {
	words := strings.Fields(text)
	odd := 0
	for _, w := range words {
		bare := strings.Trim(w, `.,;:?!"()'`)
		letters := strings.TrimFunc(bare, unicode.IsLetter) == "" &&
			!strings.ContainsFunc(bare[min(len(bare), 1):], unicode.IsUpper)
		if !letters && !strings.ContainsAny(bare, "'-") {
			odd++
		}
	}
	return len(words) >= 12 && odd*12 <= len(words)
}
