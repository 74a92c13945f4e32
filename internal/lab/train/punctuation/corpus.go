package main

import (
	"bufio"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"parley/internal/speech/punctuation"
)

// turn is a turn of one side: spoken words, each with the mark after it.
type turn struct {
	side    string
	words   []string
	written []string // the words as written, for names
	marks   []punctuation.Mark
}

// talk is a series of turns.
type talk struct {
	turns   []turn
	printed bool // prose, not dialogue
}

// blockTurns is the number of turns per talk, because the sources do not mark the ends of dialogues.
const blockTurns = 40

// readCorpus reads all sources, split into talks.
func readCorpus(dialogue, novel, sources string) ([]talk, error) {
	lines, err := gunzip(filepath.Join(dialogue, "taskmaster34.tsv.gz"))
	if err != nil {
		return nil, err
	}
	more, err := gunzip(filepath.Join(dialogue, "polyai_spans.txt.gz"))
	if err != nil {
		return nil, err
	}
	corpus := append(talks(lines, tabbed), talks(more, plain)...)
	if novel != "" {
		text, err := os.ReadFile(novel)
		if err != nil {
			return nil, err
		}
		corpus = append(corpus, readTalks(paragraphs(string(text)))...)
	}
	if sources != "" {
		comments, err := readComments(sources)
		if err != nil {
			return nil, err
		}
		corpus = append(corpus, readTalks(comments)...)
	}
	return corpus, nil
}

// readTalks converts printed paragraphs to talks.
func readTalks(paragraphs []string) []talk {
	printed := talks(paragraphs, plain)
	for i := range printed {
		printed[i].printed = true
	}
	return printed
}

func gunzip(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return lines(z)
}

func lines(r io.Reader) ([]string, error) {
	var all []string
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		all = append(all, scanner.Text())
	}
	return all, scanner.Err()
}

// paragraphs joins the lines of a book between empty lines. Headings are dropped later, because they do not end with a
// mark.
func paragraphs(text string) []string {
	text = strings.NewReplacer("\r", "", "_", "").Replace(text)
	var all []string
	for p := range strings.SplitSeq(text, "\n\n") {
		all = append(all, strings.Join(strings.Fields(p), " "))
	}
	return all
}

func tabbed(line string) (side, text string) {
	side, text, _ = strings.Cut(line, "\t")
	return side, text
}

func plain(line string) (side, text string) { return "user", line }

// talks reads turns, one per line. It keeps carefully written turns: they start with a capital, end with a mark and
// have no lower-case "i".
func talks(lines []string, cut func(string) (string, string)) []talk {
	var all []talk
	for start := 0; start < len(lines); start += blockTurns {
		var t talk
		for _, line := range lines[start:min(start+blockTurns, len(lines))] {
			side, text := cut(line)
			if read := readTurn(side, text); careful(read) {
				t.turns = append(t.turns, read)
			}
		}
		all = append(all, t)
	}
	return all
}

func careful(t turn) bool {
	n := len(t.words)
	if n == 0 || n > 150 || t.marks[n-1] != punctuation.Period && t.marks[n-1] != punctuation.Question {
		return false
	}
	if !unicode.IsUpper([]rune(t.written[0])[0]) && t.written[0] == t.words[0] {
		return false
	}
	for _, w := range t.written {
		if w == "i" {
			return false
		}
	}
	return true
}

// readTurn splits a written text into spoken words and marks.
func readTurn(side, text string) turn {
	t := turn{side: side}
	text = strings.NewReplacer("’", "'", "‘", "'", "“", "\"", "”", "\"", "--", " , ", "—", " , ", " - ", " , ", " – ",
		" , ", "...", "…").Replace(text)
	fields := strings.Fields(text)
	for i, f := range fields {
		mark := markBehind(f, i+1 == len(fields))
		spoken := speak(f)
		if len(spoken) == 0 {
			if n := len(t.marks); n > 0 && mark > t.marks[n-1] {
				t.marks[n-1] = mark
			}
			continue
		}
		bare := strings.TrimFunc(f, func(r rune) bool { return !unicode.IsLetter(r) })
		for _, w := range spoken {
			t.words = append(t.words, w)
			t.marks = append(t.marks, punctuation.None)
			switch {
			case strings.EqualFold(w, bare):
				w = bare
			case strings.ContainsAny(f, "0123456789"):
				w = f
			}
			t.written = append(t.written, w)
		}
		t.marks[len(t.marks)-1] = mark
	}
	return t
}

// abbreviations are words after which a full stop does not end a sentence.
var abbreviations = map[string]bool{
	"mr.": true, "mrs.": true, "ms.": true, "dr.": true, "st.": true, "ave.": true, "blvd.": true, "rd.": true,
	"vs.":  true,
	"a.m.": true, "p.m.": true, "u.s.": true, "no.": true, "approx.": true, "jr.": true, "sr.": true, "etc.": true,
	"e.g.": true, "i.e.": true,
}

// markBehind returns the mark at the end of a field. Exclamation marks and semicolons count as periods, colons and
// dashes as commas (as in Tilk & Alumäe 2016).
func markBehind(field string, last bool) punctuation.Mark {
	field = strings.TrimRight(field, `"')]*`)
	if strings.HasSuffix(field, ".") && !last && abbreviations[strings.ToLower(field)] {
		return punctuation.None
	}
	switch {
	case strings.HasSuffix(field, "?") || strings.HasSuffix(field, "?!"):
		return punctuation.Question
	case strings.HasSuffix(field, ".") || strings.HasSuffix(field, "!") || strings.HasSuffix(field, ";"):
		return punctuation.Period
	case strings.HasSuffix(field, ",") || strings.HasSuffix(field, ":") || strings.HasSuffix(field, "…"):
		return punctuation.Comma
	}
	return punctuation.None
}

// parts splits a corpus by use.
type parts struct{ train, tune, held []talk }

// split divides the talks: of ten, eight are for training, one for tuning, one held out. Prose is only for training.
func split(corpus []talk) parts {
	var p parts
	for i, t := range corpus {
		switch {
		case len(t.turns) == 0:
		case i%10 == 8 && !t.printed:
			p.tune = append(p.tune, t)
		case i%10 == 9 && !t.printed:
			p.held = append(p.held, t)
		default:
			p.train = append(p.train, t)
		}
	}
	return p
}

func words(talks []talk) int {
	n := 0
	for _, t := range talks {
		for _, u := range t.turns {
			n += len(u.words)
		}
	}
	return n
}
