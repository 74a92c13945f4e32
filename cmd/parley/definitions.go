package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/analysis/talk"
	"parley/internal/call/definition"
	"parley/internal/call/plan"
	"parley/internal/flow/pipeline"
	"parley/internal/query"
)

// Folders of definitions. Each has a file NAME.json for a definition that a server saves under NAME. The folders are
// named like the paths of the API.
var (
	groupFolder    = filepath.Join("spotting", "groups")
	categoryFolder = "categories"
)

// definitions reads the definitions that a configuration refers to.
func (c *analyzeCommand) definitions(refs plan.References) (plan.Definitions, error) {
	found := plan.Definitions{Classifiers: pipeline.BuiltInClassifiers(), Detectors: pipeline.Detectors()}
	if refs.AllCategories {
		names, err := c.names(categoryFolder)
		if err != nil {
			return found, err
		}
		refs.Categories = names
	}
	err := errors.Join(
		c.each("keyword group", groupFolder, refs.Groups, func(name string, sent []byte) error {
			g, err := definition.ParseGroup(name, sent)
			found.Groups = append(found.Groups, plan.Group(g))
			return err
		}),
		c.each("category", categoryFolder, refs.Categories, func(name string, sent []byte) error {
			k, err := definition.ParseCategory(name, sent, query.KnownNames{Metrics: talk.Names()})
			found.Categories = append(found.Categories, plan.Category{Name: k.Name, Query: k.Query})
			return err
		}),
	)
	return found, err
}

// everyDefinition reads all definitions in the folder.
func (c *analyzeCommand) everyDefinition() (plan.Definitions, error) {
	if c.Definitions == "" {
		return c.definitions(plan.References{})
	}
	groups, err := c.names(groupFolder)
	if err != nil {
		return plan.Definitions{}, err
	}
	return c.definitions(plan.References{Groups: groups, AllCategories: true})
}

// names lists the names of the definitions in a folder, sorted.
func (c *analyzeCommand) names(folder string) ([]string, error) {
	if c.Definitions == "" {
		return nil, fmt.Errorf("the configuration refers to all categories saved on a server; give the folder of " +
			"their definitions with --definitions")
	}
	files, err := os.ReadDir(filepath.Join(c.Definitions, folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, f := range files {
		if name, ok := strings.CutSuffix(f.Name(), ".json"); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, err
}

// each reads the definitions with the given names.
func (c *analyzeCommand) each(kind, folder string, names []string, read func(name string, sent []byte) error) error {
	for _, name := range names {
		if c.Definitions == "" {
			return fmt.Errorf("the configuration refers to the %s %q, which is saved on a server; give the folder "+
				"that contains %s with --definitions",
				kind, name, filepath.Join(folder, name+".json"))
		}
		path := filepath.Join(c.Definitions, folder, name+".json")
		sent, err := readInput(path)
		if err != nil {
			return fmt.Errorf("%s %q: %w", kind, name, err)
		}
		if err := inFile(path, read(name, sent)); err != nil {
			return err
		}
	}
	return nil
}
