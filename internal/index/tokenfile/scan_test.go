package tokenfile

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// confusable are word numbers whose encodings contain those of others.
var confusable = []uint32{0, 1, 2, 5, 127, 128, 130, 2<<7 | 5, 5<<7 | 2, 5<<14 | 2<<7 | 1, 1 << 14, 1<<32 - 1}

// drawNumbered draws a call with confusable word numbers, long enough to be searched in several steps.
func drawNumbered(t *rapid.T) (*Source, []uint32) {
	s := &Source{Speakers: make([]transcript.Speaker, rapid.IntRange(1, 3).Draw(t, "speakers"))}
	some := rapid.SliceOfN(rapid.SampledFrom(confusable), 1, 4).Draw(t, "some")
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	var numbers []uint32
	long := rapid.SampledFrom([]int{3, 40}).Draw(t, "long")
	part := func(p Part) {
		p.From = len(numbers)
		for range rng.IntN(long) {
			numbers = append(numbers, some[rng.IntN(len(some))])
		}
		p.To = len(numbers)
		s.Parts = append(s.Parts, p)
	}
	for range rapid.IntRange(0, 30).Draw(t, "turns") {
		part(Part{Field: phrase.Transcript, Speaker: rng.IntN(len(s.Speakers))})
	}
	for range numbers {
		s.Times = append(s.Times, Time{int64(rng.IntN(300)), int64(rng.IntN(300))})
	}
	part(Part{Field: phrase.Title})
	part(Part{Field: phrase.Description})
	s.Words = make([]string, len(numbers))
	return s, numbers
}

// hasPhrase reports whether a part that accepts returns true for has the words.
func hasPhrase(parts []Part, words, run []uint32, accepts func(phrase.Field, int) bool) bool {
	return slices.ContainsFunc(parts, func(p Part) bool {
		for at := p.From; at+len(run) <= p.To; at++ {
			if slices.Equal(words[at:at+len(run)], run) {
				return accepts(p.Field, p.Speaker)
			}
		}
		return false
	})
}

func TestAScanFindsThePhrasesThatTheDecodedWordsHave(t *testing.T) {
	var scan Scan
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		s, numbers := drawNumbered(t)
		if err := scan.Open(EncodeNumbers(s, numbers)); err != nil {
			t.Fatal(err)
		}
		if speakers, err := DecodeSpeakers(scan.Speakers); err != nil || !slices.Equal(speakers, s.Speakers) {
			t.Fatalf("speakers %v (%v), want %v", speakers, err, s.Speakers)
		}
		want := [2]int{-1, -1}
		for _, p := range s.Parts {
			if p.Field == phrase.Transcript && want[0] < 0 {
				want[0] = p.Speaker
			} else if p.Field == phrase.Transcript && want[1] < 0 && p.Speaker != want[0] {
				want[1] = p.Speaker
			}
		}
		if first, second, err := scan.First(); err != nil || want != [2]int{first, second} {
			t.Fatalf("%d and %d speak first (%v), want %v", first, second, err, want)
		}
		run := rapid.SliceOfN(rapid.SampledFrom(confusable), 1, 3).Draw(t, "run")
		if n := len(numbers); n > 0 && rapid.Bool().Draw(t, "of the call") {
			at := rapid.IntRange(0, n-1).Draw(t, "at")
			run = numbers[at:min(at+len(run), n)]
		}
		in := phrase.Fields(rapid.IntRange(1, int(phrase.Everywhere)).Draw(t, "in"))
		who := rapid.IntRange(-1, len(s.Speakers)-1).Draw(t, "who")
		accepts := func(f phrase.Field, speaker int) bool {
			return in.Has(f) && (f != phrase.Transcript || who < 0 || speaker == who)
		}
		has, err := scan.Has(NewPhrase(run), accepts)
		if want := hasPhrase(s.Parts, numbers, run, accepts); has != want || err != nil {
			t.Fatalf("%v in %v of %+v: %v (%v), want %v", run, numbers, s.Parts, has, err, want)
		}
		if has {
			found++
		}
	})
	if found == 0 {
		t.Error("no phrase was found")
	}
}

func TestAPhraseIsFoundWhereverItBegins(t *testing.T) {
	const words = 700
	for _, run := range [][]uint32{{7, 300}, {7, 8, 9}, {200, 3}, {120}} {
		p := NewPhrase(run)
		for at := range words - len(run) + 1 {
			numbers := slices.Repeat([]uint32{7}, words)
			copy(numbers[at:], run)
			s := &Source{Speakers: make([]transcript.Speaker, 1), Words: make([]string, words),
				Parts: []Part{{To: at + len(run)}, {From: at + len(run), To: words}}}
			var scan Scan
			if err := scan.Open(EncodeNumbers(s, numbers)); err != nil {
				t.Fatal(err)
			}
			if has, err := scan.Has(p, func(phrase.Field, int) bool { return true }); !has || err != nil {
				t.Fatalf("%v is not found at word %d (%v)", run, at, err)
			}
		}
	}
}

func TestNumbersAreSkippedAndCountedWhereverTheyEnd(t *testing.T) {
	for n := range 40 {
		var b []byte
		for i := range n {
			b = append(b, []byte{0x81, 0x82, byte(i)}[i%3:]...)
			if ends(b) != i+1 || behind(b, i+1) != len(b) {
				t.Fatalf("%x: %d numbers end, the last at %d", b, ends(b), behind(b, i+1))
			}
			if behind(append(b, 0x80), i+2) >= 0 {
				t.Fatalf("%x has more numbers than there are", b)
			}
		}
	}
}

func FuzzForeignBytesAreScannedAsTheyAreDecoded(f *testing.F) {
	f.Add(Encode(Of(call(), "t", "d"), phrase.Glossary{}.Number), uint32(1), uint32(2))
	f.Add([]byte{version, 0, 0, 1, 9, 200}, uint32(0), uint32(300))
	f.Add([]byte{version, 0, 0, 2, 0, 0x82, 0, 1, 5, 5}, uint32(5), uint32(5))
	f.Fuzz(func(t *testing.T, data []byte, first, second uint32) {
		var scan Scan
		if scan.Open(data) != nil {
			return
		}
		run := []uint32{first, second}
		all := func(phrase.Field, int) bool { return true }
		has, scanErr := scan.Has(NewPhrase(run), all)
		scan.First()
		DecodeSpeakers(scan.Speakers)
		var file File
		if file.Decode(data) != nil {
			return
		}
		times := len(file.rest)
		shortest := EncodeNumbers(&Source{Length: file.Length, Speakers: file.Speakers, Parts: file.Parts}, file.Words)
		if string(shortest[:len(shortest)-1]) != string(data[:len(data)-times]) {
			return // numbers take more bytes than they need
		}
		if want := hasPhrase(file.Parts, file.Words, run, all); has != want || scanErr != nil {
			t.Fatalf("%v: %v (%v), want %v", run, has, scanErr, want)
		}
	})
}

// BenchmarkScan finds phrases in calls of 1,500 words. One operation is one call.
func BenchmarkScan(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	s := &Source{Speakers: make([]transcript.Speaker, 2)}
	var numbers []uint32
	for turn := range 100 {
		from := len(numbers)
		for range 15 {
			numbers = append(numbers, uint32(1/(rng.Float64()+1e-4))) // by Zipf's law
			s.Times = append(s.Times, Time{int64(len(numbers) * 400), int64(len(numbers)*400 + 300)})
		}
		s.Parts = append(s.Parts, Part{Speaker: turn % 2, From: from, To: len(numbers)})
	}
	s.Words = make([]string, len(numbers))
	data := EncodeNumbers(s, numbers)
	all := func(phrase.Field, int) bool { return true }
	for name, run := range map[string][]uint32{
		"first turn": numbers[2:6], "middle": numbers[703:707], "nowhere": {2000, 3000}, "common, nowhere": {5, 5, 5, 5},
	} {
		p := NewPhrase(run)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var scan Scan
			for b.Loop() {
				if scan.Open(data) != nil {
					b.Fatal("damaged")
				}
				scan.Has(p, all)
			}
		})
	}
}
