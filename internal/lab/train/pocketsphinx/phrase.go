package main

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

//go:embed phrases.txt
var patterns string

// phrases holds patterns: sentences, and the classes to which they refer.
type phrases struct {
	sentences []expression
	classes   map[string]expression
}

// expression is a parsed pattern: alternatives of sequences of words, class names and expressions.
type expression [][]part

type part struct {
	word   string
	class  string
	inner  expression
	option bool // the inner expression is optional
}

// parse parses patterns, one per line: a class "name = alternatives" or a sentence.
func parse(text string) (*phrases, error) {
	p := &phrases{classes: map[string]expression{}}
	for n, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		name, body, isClass := strings.Cut(line, " = ")
		if !isClass {
			body = line
		}
		r := reader{fields: tokens(body)}
		e, err := r.expression("")
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
		if isClass {
			p.classes[name] = e
		} else {
			p.sentences = append(p.sentences, e)
		}
	}
	return p, p.check()
}

// tokens splits a pattern into words, class names and signs.
func tokens(text string) []string {
	for _, sign := range []string{"(", ")", "[", "]", "|"} {
		text = strings.ReplaceAll(text, sign, " "+sign+" ")
	}
	return strings.Fields(text)
}

type reader struct{ fields []string }

// expression parses up to the closing sign, or to the end.
func (r *reader) expression(closing string) (expression, error) {
	e := expression{nil}
	for len(r.fields) > 0 {
		f := r.fields[0]
		r.fields = r.fields[1:]
		last := len(e) - 1
		switch f {
		case "|":
			e = append(e, nil)
		case "(", "[":
			inner, err := r.expression(map[string]string{"(": ")", "[": "]"}[f])
			if err != nil {
				return nil, err
			}
			e[last] = append(e[last], part{inner: inner, option: f == "["})
		case ")", "]":
			if f != closing {
				return nil, fmt.Errorf("unexpected %q", f)
			}
			return e, nil
		default:
			p := part{word: f}
			if strings.HasPrefix(f, "<") && strings.HasSuffix(f, ">") {
				p = part{class: f[1 : len(f)-1]}
			}
			e[last] = append(e[last], p)
		}
	}
	if closing != "" {
		return nil, fmt.Errorf("%q is missing", closing)
	}
	return e, nil
}

// check returns an error for a class that is undefined or refers to itself.
func (p *phrases) check() error {
	for _, e := range p.sentences {
		if err := p.follow(e, nil); err != nil {
			return err
		}
	}
	for name, e := range p.classes {
		if err := p.follow(e, []string{name}); err != nil {
			return err
		}
	}
	return nil
}

// follow visits all classes that an expression refers to; within lists the classes that contain it.
func (p *phrases) follow(e expression, within []string) error {
	for _, alternative := range e {
		for _, x := range alternative {
			inner, named := x.inner, within
			if x.class != "" {
				given := false
				if inner, given = p.classes[x.class]; !given || slices.Contains(within, x.class) {
					return fmt.Errorf("class <%s> is undefined, or contains itself", x.class)
				}
				named = append(within[:len(within):len(within)], x.class)
			}
			if err := p.follow(inner, named); err != nil {
				return err
			}
		}
	}
	return nil
}

// samples returns up to count distinct sentences of each pattern.
func (p *phrases) samples(count int, random *rand.Rand) [][]string {
	var all [][]string
	for _, s := range p.sentences {
		seen := map[string]bool{}
		for range count {
			words := p.sample(s, random)
			if key := strings.Join(words, " "); !seen[key] {
				seen[key] = true
				all = append(all, words)
			}
		}
	}
	return all
}

func (p *phrases) sample(e expression, random *rand.Rand) []string {
	var words []string
	for _, x := range e[random.IntN(len(e))] {
		switch {
		case x.class != "":
			words = append(words, p.sample(p.classes[x.class], random)...)
		case x.inner == nil:
			words = append(words, x.word)
		case !x.option || random.IntN(2) == 0:
			words = append(words, p.sample(x.inner, random)...)
		}
	}
	return words
}
