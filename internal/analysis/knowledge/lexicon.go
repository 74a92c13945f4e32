package knowledge

import (
	"bytes"
	"cmp"
	"compress/gzip"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
	"sync"

	"parley/internal/words/packed"
)

// Subtopic is one subject of conversations, a part of a topic.
type Subtopic struct{ Topic, Name string }

// Membership is the strength with which a word belongs to a subtopic.
type Membership struct {
	Subtopic int   // index into Lexicon.Subtopics
	Weight   uint8 // 1..15
}

// Entry describes one base form: a word, or a fixed phrase of several words.
type Entry struct {
	Lemma            string // folded, words separated by spaces
	Noun, Verb, Adj  uint8  // quantized frequencies by word class, 0..15: see frequency
	Rarity           uint8  // for single words, -40*log10 of their share of running text, at most 255
	Topics           []Membership
	Compound, Proper bool // of several words; a name
}

// Irregular is an inflected form whose base form no rule finds.
type Irregular struct{ Form, Lemma string }

// Lexicon holds words, their base forms and their topics. It is immutable and safe for concurrent use.
type Lexicon struct {
	Subtopics []Subtopic
	lemmas    table
	facts     []fact
	members   []Membership
	forms     table
	bases     []string // of forms
}

// fact is the compact form of an Entry, without its lemma.
type fact struct {
	noun, verb, adj, rarity uint8
	compound, proper        bool
	topics, topicsTo        uint32 // in Lexicon.members
}

// table is a list of texts in ascending order, concatenated.
type table struct {
	text string
	ends []uint32
}

func (t *table) at(i int) string {
	from := uint32(0)
	if i > 0 {
		from = t.ends[i-1]
	}
	return t.text[from:t.ends[i]]
}

// find returns the index of a text, or -1 if it is absent.
func (t *table) find(s string) int {
	i, ok := sort.Find(len(t.ends), func(i int) int { return strings.Compare(s, t.at(i)) })
	if !ok {
		return -1
	}
	return i
}

//go:embed lexicon.bin.gz
var embedded []byte

// Load returns the built-in lexicon. It is read once per process, which takes a few tens of milliseconds, and shared.
func Load() (*Lexicon, error) { return builtIn() }

var builtIn = sync.OnceValues(func() (*Lexicon, error) { return ReadLexicon(bytes.NewReader(embedded)) })

// magic starts a lexicon file; the digit is the version of the format.
const magic = "parley knowledge 1\n"

// The flags in the last byte of an entry. The lower four bits are the number of its topics.
const (
	compoundBit = 1 << 6
	properBit   = 1 << 7
	topicsMask  = 15
)

var errLexicon = errors.New("knowledge lexicon: corrupt")

// ReadLexicon reads what WriteLexicon wrote.
func ReadLexicon(r io.Reader) (*Lexicon, error) {
	unpacked, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("knowledge lexicon: %w", err)
	}
	data, err := io.ReadAll(unpacked)
	if err != nil {
		return nil, fmt.Errorf("knowledge lexicon: %w", err)
	}
	content, ok := bytes.CutPrefix(data, []byte(magic))
	if !ok {
		return nil, errors.New("knowledge lexicon: unknown format")
	}
	l, in := &Lexicon{}, &input{Reader: packed.Reader{Rest: content}}
	for range in.Count(1) {
		l.Subtopics = append(l.Subtopics, Subtopic{in.Text(), in.Text()})
	}
	l.readEntries(in)
	l.readForms(in)
	if in.Broken || len(in.Rest) > 0 {
		return nil, errLexicon
	}
	return l, nil
}

func (l *Lexicon) readEntries(in *input) {
	in.texts = nil
	n := in.Count(1)
	l.facts = make([]fact, 0, n)
	for range n {
		in.row(&l.lemmas)
		f := fact{rarity: in.byte(), topics: uint32(len(l.members))}
		kinds, last := in.byte(), in.byte()
		f.noun, f.verb, f.adj = kinds>>4, kinds&15, in.byte()
		f.compound, f.proper = last&compoundBit != 0, last&properBit != 0
		for range last & topicsMask {
			m := Membership{int(in.byte()), in.byte()}
			if m.Subtopic >= len(l.Subtopics) {
				in.Break()
			}
			l.members = append(l.members, m)
		}
		f.topicsTo = uint32(len(l.members))
		l.facts = append(l.facts, f)
	}
	l.lemmas.text = string(in.texts)
}

func (l *Lexicon) readForms(in *input) {
	in.texts = nil
	for range in.Count(1) {
		in.row(&l.forms)
		l.bases = append(l.bases, in.Text())
	}
	l.forms.text = string(in.texts)
}

// input decodes a lexicon.
type input struct {
	packed.Reader
	last  []byte // the previous row
	texts []byte // the rows of the current table
}

func (in *input) byte() byte {
	if b := in.Take(1); b != nil {
		return b[0]
	}
	return 0
}

// row reads the next text of a table: the length of the prefix shared with the previous row, and the rest. Rows are in
// ascending order.
func (in *input) row(t *table) {
	if len(t.ends) == 0 {
		in.last = nil
	}
	common := int(in.byte())
	rest := in.Bytes()
	if common > len(in.last) {
		in.Break()
		return
	}
	from := len(in.texts)
	in.texts = append(append(in.texts, in.last[:common]...), rest...)
	text := in.texts[from:]
	if len(t.ends) > 0 && bytes.Compare(text, in.last) <= 0 {
		in.Break()
	}
	in.last = text
	t.ends = append(t.ends, uint32(len(in.texts)))
}

// WriteLexicon writes a compressed lexicon. Lemmas and forms must be unique; their order does not matter.
func WriteLexicon(w io.Writer, subtopics []Subtopic, entries []Entry, forms []Irregular) error {
	out := &output{data: []byte(magic)}
	out.number(len(subtopics))
	for _, s := range subtopics {
		out.text(s.Topic)
		out.text(s.Name)
	}
	entries, forms = slices.Clone(entries), slices.Clone(forms)
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Lemma, b.Lemma) })
	slices.SortFunc(forms, func(a, b Irregular) int { return cmp.Compare(a.Form, b.Form) })
	out.number(len(entries))
	for _, e := range entries {
		out.row(e.Lemma)
		out.entry(e)
	}
	out.number(len(forms))
	out.last = ""
	for _, f := range forms {
		out.row(f.Form)
		out.text(f.Lemma)
	}
	packer, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	_, err = packer.Write(out.data)
	return errors.Join(err, packer.Close())
}

// output encodes a lexicon.
type output struct {
	data []byte
	last string
}

func (o *output) number(n int) { o.data = binary.AppendUvarint(o.data, uint64(n)) }

func (o *output) text(s string) {
	o.number(len(s))
	o.data = append(o.data, s...)
}

func (o *output) row(s string) {
	common := 0
	for common < min(len(s), len(o.last), 255) && s[common] == o.last[common] {
		common++
	}
	o.data = append(o.data, byte(common))
	o.text(s[common:])
	o.last = s
}

func (o *output) entry(e Entry) {
	last := byte(len(e.Topics)) & topicsMask
	if e.Compound {
		last |= compoundBit
	}
	if e.Proper {
		last |= properBit
	}
	o.data = append(o.data, e.Rarity, e.Noun<<4|e.Verb&15, last, e.Adj)
	for _, m := range e.Topics {
		o.data = append(o.data, byte(m.Subtopic), m.Weight)
	}
}
