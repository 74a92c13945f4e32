package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"
)

// yamlSettings reads a settings file: one "flag: value" per line, lists as YAML lists. A name that is not a flag is an
// error, so that a typo is never ignored.
func yamlSettings(r io.Reader) (kong.Resolver, error) {
	f := &fileResolver{name: "settings", values: map[string]any{}}
	if file, ok := r.(interface{ Name() string }); ok {
		f.name = file.Name()
	}
	if err := yaml.NewDecoder(r).Decode(&f.values); err != nil && err != io.EOF {
		return nil, fmt.Errorf("settings file %s: %w", f.name, err)
	}
	return f, nil
}

type fileResolver struct {
	name   string
	values map[string]any
}

// Validate refuses names that are not a flag of any command.
func (f *fileResolver) Validate(app *kong.Application) error {
	known := map[string]bool{}
	for _, command := range append(app.Leaves(false), app.Node) {
		for _, flag := range command.AllFlags(false) {
			for _, one := range flag {
				known[one.Name] = true
			}
		}
	}
	var unknown []string
	for name := range f.values {
		if !known[strings.ReplaceAll(name, "_", "-")] {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		return fmt.Errorf("settings file %s: unknown flag %s; see parley serve --help", f.name,
			strings.Join(unknown, ", "))
	}
	return nil
}

// Resolve returns a flag's value from the file; the command line and the environment take precedence.
func (f *fileResolver) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	for name, value := range f.values {
		if strings.ReplaceAll(name, "_", "-") != flag.Name {
			continue
		}
		if list, ok := value.([]any); ok {
			items := make([]string, len(list))
			for i, v := range list {
				items[i] = fmt.Sprint(v)
			}
			return strings.Join(items, ","), nil
		}
		return fmt.Sprint(value), nil
	}
	return nil, nil
}
