package main

import (
	"bufio"
	"encoding/gob"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"parley/internal/lab/corpus"
	"parley/internal/words/media"
)

// document is a generated call as the engines other than Parley get it: the words of each speaker as one text.
type document struct {
	Number        int // from 0, in the order of creation
	Score         int // from the metadata
	Agent, Caller string
}

// turnEnd stands between two turns, so that no phrase extends over them. No call and no question has this word.
const turnEnd = "xturnx"

// newDocument returns call n as a document.
func newDocument(calls *corpus.Corpus, n int) document {
	call := calls.Call(n)
	var said [2]strings.Builder
	for _, turn := range call.Transcript.Turns() {
		b := &said[turn.Speaker]
		for _, w := range turn.Words {
			b.WriteString(plain(call.Transcript.Words[w].Text))
			b.WriteByte(' ')
		}
		b.WriteString(turnEnd + " ")
	}
	return document{n, call.Score, said[0].String(), said[1].String()}
}

// plain reduces a word to lower-case letters and digits, so that every tokenizer sees one word: $49.99 is 4999.
func plain(word string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			return r
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		}
		return -1
	}, word)
}

// every is the interval between two calls, from which numberOf computes their numbers.
const every = 30 * time.Second

// newCorpus returns the corpus of all engines.
func newCorpus(words int) *corpus.Corpus {
	return corpus.New(corpus.Config{Words: words, Every: every})
}

// numberOf returns the number of a call from its id.
func numberOf(calls *corpus.Corpus, id media.ID) int {
	return int(id.Created().Sub(calls.First) / every)
}

// writeDocuments writes the first n calls of a corpus to a file.
func writeDocuments(path string, calls *corpus.Corpus, n int) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriterSize(f, 1<<20)
	to := gob.NewEncoder(w)
	for i := range n {
		if err := to.Encode(newDocument(calls, i)); err != nil {
			return err
		}
	}
	return w.Flush()
}

// eachBatch reads the documents of a file, and calls f with up to size of them at a time.
func eachBatch(path string, size int, f func([]document) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	from := gob.NewDecoder(bufio.NewReaderSize(file, 1<<20))
	for {
		batch := make([]document, 0, size)
		for len(batch) < size && err == nil {
			var d document
			if err = from.Decode(&d); err == nil {
				batch = append(batch, d)
			}
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if len(batch) > 0 {
			if err := f(batch); err != nil {
				return err
			}
		}
		if err != nil {
			return nil
		}
	}
}
