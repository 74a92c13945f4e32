package pocketsphinx

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"parley/internal/lab/telephone"
	"parley/internal/speech/asr"
	"parley/internal/testkit/flite"
	"parley/internal/testkit/verify"
	"parley/internal/words/sound"
)

// written is a lattice in the library's format: two pronunciations of the first word, and an optional silence.
const written = `# getcwd: /this/is/bogus
# -logbase 1.000100e+00
#
Frames 60
#
Nodes 6 (NODEID WORD STARTFRAME FIRST-ENDFRAME LAST-ENDFRAME)
0 </s> 50 59 59 ; 0
1 cream(2) 30 45 49 ; 0
2 <sil> 20 25 29 ; 0
3 ice 5 15 29 ; 0
4 i 5 15 29 ; 0
5 <s> 0 4 4 ; 0
#
Initial 5
Final 0
#
BestSegAscr 0 (NODEID ENDFRAME ASCORE)
#
Edges (FROM-NODEID TO-NODEID ASCORE)
1 0 -10000
2 1 -5000
3 1 -20000
3 2 -15000
4 1 -10000
4 2 -434423808
5 3 -1000
5 4 -1000
End
`

func mustRead(t *testing.T, text string) *lattice {
	t.Helper()
	l, err := readLattice(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestLatticeIsReadAsTheLibraryWritesIt(t *testing.T) {
	l := mustRead(t, written)
	one := math.Log(logBase)
	want := &lattice{initial: 5, final: 0, nodes: []node{
		{entry: "</s>", start: 50},
		{entry: "cream(2)", word: "cream", start: 30, exits: []exit{{0, -10000 * one}}},
		{entry: "<sil>", start: 20, exits: []exit{{1, -5000 * one}}},
		{entry: "ice", word: "ice", start: 5, exits: []exit{{1, -20000 * one}, {2, -15000 * one}}},
		{entry: "i", word: "i", start: 5, exits: []exit{{1, -10000 * one}}}, // the other end was not reached
		{entry: "<s>", start: 0, exits: []exit{{3, -1000 * one}, {4, -1000 * one}}},
	}}
	if !reflect.DeepEqual(l, want) {
		t.Errorf("read\n%+v, want\n%+v", l, want)
	}
}

func TestDamagedLatticesAreRefused(t *testing.T) {
	for what, text := range map[string]string{
		"nothing":             "",
		"no ends":             strings.Replace(written, "Final 0", "", 1),
		"an end beyond":       strings.Replace(written, "Initial 5", "Initial 6", 1),
		"an exit to nowhere":  strings.Replace(written, "4 1 -10000", "4 9 -10000", 1),
		"a circle":            strings.Replace(written, "4 1 -10000", "1 4 -10000", 1),
		"words for numbers":   strings.Replace(written, "4 1 -10000", "4 1 much", 1),
		"half a line":         strings.Replace(written, "4 1 -10000", "4 1", 1),
		"a node without time": strings.Replace(written, "4 i 5 15 29 ; 0", "4 i", 1),
	} {
		if _, err := readLattice(strings.NewReader(text)); err == nil {
			t.Errorf("%s is taken", what)
		}
	}
}

// even is a predictor that gives equal probabilities, except that cream is more frequent after ice.
func even(word, before, _ string) float64 {
	if word == "cream" && before == "ice" {
		return math.Log(0.5)
	}
	return math.Log(0.1)
}

func TestWordsThatThePredictorPrefersAreHeard(t *testing.T) {
	plain := scales{language: 1, silence: -1, noise: -9, beam: 100, posterior: 1}
	for weight, want := range map[float64]string{0.1: "i cream", 3: "ice cream"} {
		s := plain
		s.language = weight
		var heard []string
		for _, h := range elect(mustRead(t, written).expand(s, even)) {
			heard = append(heard, h.word)
		}
		if got := strings.Join(heard, " "); got != want {
			t.Errorf("with language weight %v heard %q, want %q", weight, got, want)
		}
	}
}

func TestHeardWordsHaveTheirTimesAndShares(t *testing.T) {
	s := scales{language: 3, silence: -1, noise: -9, beam: 100, posterior: 1}
	words := elect(mustRead(t, written).expand(s, even))
	if len(words) != 2 || words[0].start != 5 || words[1].start != 30 || words[1].end != 50 || words[1].share != 1 {
		t.Fatalf("words %+v", words)
	}
	// Calculated by hand: log scores of the three paths. Acoustic scores are logarithms to the base 1.0001.
	one := math.Log(logBase)
	direct := -31000*one + 3*(math.Log(0.1)+math.Log(0.5)+math.Log(0.1))
	pause := -31000*one + 3*(math.Log(0.1)+math.Log(0.5)+math.Log(0.1)) - 1
	other := -21000*one + 9*math.Log(0.1)
	ice := (math.Exp(direct) + math.Exp(pause)) / (math.Exp(direct) + math.Exp(pause) + math.Exp(other))
	if math.Abs(words[0].share-ice) > 0.08 { // of 200 samples
		t.Errorf("share of ice %.3f, want %.3f", words[0].share, ice)
	}
}

func TestTheSurerOfTwoLatticesDecides(t *testing.T) {
	s := scales{language: 3, silence: -1, noise: -9, beam: 100, posterior: 1}
	sure := mustRead(t, written).expand(s, even)
	s.language = 0.1
	unsure := mustRead(t, written).expand(s, even)
	nowhere := mustRead(t, strings.Replace(written, "1 0 -10000\n", "", 1)).expand(s, even)
	for _, graphs := range [][]*graph{{sure, unsure}, {nowhere, unsure, sure}} {
		if words := elect(graphs...); len(words) != 2 || words[0].word != "ice" || words[0].share > 0.75 {
			t.Errorf("heard %+v", words)
		}
	}
}

func TestBeamKeepsTheBestPath(t *testing.T) {
	s := scales{language: 3, silence: -1, noise: -9, beam: 0.5, posterior: 1}
	l := mustRead(t, written)
	l.prune(s, even)
	left := 0
	for _, n := range l.nodes {
		left += len(n.exits)
	}
	if words := elect(l.expand(s, even)); left != 3 || len(words) != 2 || words[0].word != "ice" {
		t.Errorf("%d exits are left, heard %+v", left, words)
	}
}

func TestALatticeWithoutAWayToItsEndHasNoWords(t *testing.T) {
	l := mustRead(t, strings.Replace(written, "1 0 -10000\n", "", 1))
	s := scales{language: 1, beam: 100, posterior: 1}
	l.prune(s, even)
	if words := elect(l.expand(s, even)); words != nil {
		t.Errorf("heard %+v", words)
	}
}

func path(text string) []hearing {
	var all []hearing
	for i, w := range strings.Fields(text) {
		all = append(all, hearing{word: w, start: 10 * i, end: 10*i + 10})
	}
	return all
}

func TestMostPathsDecideEachPlace(t *testing.T) {
	paths := [][]hearing{path("a b c d"), path("a x c d"), path("z b c"), path("z b c e"), path("a b c e")}
	var elected []string
	for _, h := range vote(paths[3], paths) {
		elected = append(elected, fmt.Sprintf("%s %.1f", h.word, h.share))
	}
	if got := strings.Join(elected, ", "); got != "a 0.6, b 0.8, c 1.0, d 0.4" {
		t.Errorf("elected %s", got)
	}
	if got := vote(nil, [][]hearing{path("a"), path("a"), nil}); len(got) != 1 || got[0].word != "a" {
		t.Errorf("a word that most have is %+v", got)
	}
	if got := vote(path("a"), [][]hearing{path("a"), nil, nil}); len(got) != 0 {
		t.Errorf("a word that few have is %+v", got)
	}
}

func FuzzReadLattice(f *testing.F) {
	f.Add(written)
	f.Add(strings.Replace(written, "4 1 -10000", "1 4 -10000", 1))
	f.Fuzz(func(t *testing.T, text string) {
		l, err := readLattice(strings.NewReader(text))
		if err != nil || len(text) > 5000 {
			return
		}
		s := scales{language: 1, silence: -1, noise: -9, beam: 100, posterior: 1}
		l.prune(s, even)
		for _, h := range elect(l.expand(s, even)) {
			if h.word == "" || h.share < 0 || h.share > 1 {
				t.Errorf("heard %+v", h)
			}
		}
	})
}

// opened returns a decoder, which the caller closes.
func opened(t testing.TB) *decoder {
	t.Helper()
	lib, err := load()
	if err != nil {
		t.Fatal(err)
	}
	d, err := newDecoder(lib, DefaultModelDir)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// heard returns a decoder that has just searched speech synthesised by flite from a text.
func heard(t testing.TB, text string) *decoder {
	t.Helper()
	d := opened(t)
	t.Cleanup(d.close)
	if _, err := d.decode(read(t, text), usual(asr.Source{}), nil); err != nil {
		t.Fatal(err)
	}
	return d
}

// read returns speech synthesised from a text, with a pause before the first word, as in chunks.
func read(t testing.TB, text string) *sound.PCM {
	t.Helper()
	return &sound.PCM{Rate: rate, Samples: append(make([]int16, rate/5), flite.Say(t, "rms", text)...)}
}

// TestDullLinesAreSearchedTwice also checks that ordinary lines and other sources are searched once.
func TestDullLinesAreSearchedTwice(t *testing.T) {
	verify.Long(t)
	d := heard(t, "hello")
	pcm := read(t, "hello, i would like to buy the black one")
	dull := telephone.Line{Lowest: 100, Highest: 2100}.Through(pcm)
	phone := usual(asr.Source{Rate: 8000})
	if d.again(telephone.Usual().Through(pcm), phone) != nil ||
		d.again(dull, usual(asr.Source{Rate: 16000, Call: true})) != nil {
		t.Error("searched twice")
	}
	if l := d.again(dull, phone); l == nil || len(l.nodes) < 5 {
		t.Errorf("lattice of the second search: %v", l)
	}
}

// TestLatticesOfTheLibraryAreRead detects unreadable lattices, for which hear would silently use the search result.
func TestLatticesOfTheLibraryAreRead(t *testing.T) {
	d := heard(t, "how old is the brooklyn bridge")
	l, err := d.lattice()
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, h := range elect(l.expand(rescoring(), d.language.predictor())) {
		words = append(words, h.word)
	}
	if got := strings.Join(words, " "); got != "how old is the brooklyn bridge" {
		t.Errorf("heard %q in a lattice of %d nodes", got, len(l.nodes))
	}
}

// BenchmarkHear measures the processing after the search of 7 seconds of speech.
func BenchmarkHear(b *testing.B) {
	d := heard(b, "good afternoon thank you for calling how can i help you today i have a question about the last "+
		"bill that i received in the mail")
	for b.Loop() {
		if len(d.hear(&sound.PCM{Rate: rate, Samples: make([]int16, 10*rate)}, usual(asr.Source{Call: true}))) == 0 {
			b.Fatal("nothing heard")
		}
	}
}

// BenchmarkLoad measures the creation of a decoder with its models, which each engine process does.
func BenchmarkLoad(b *testing.B) {
	lib, err := load()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		d, err := newDecoder(lib, DefaultModelDir)
		if err != nil {
			b.Fatal(err)
		}
		d.close()
	}
}
