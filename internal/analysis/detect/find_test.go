package detect

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/lab/dialogue"
	"parley/internal/words/transcript"
)

// said makes a transcript of turns "A: words" and "C: words", each word 300 ms long, 400 ms apart.
func said(turns ...string) *transcript.Transcript {
	t := &transcript.Transcript{Language: "en-US",
		Speakers: []transcript.Speaker{{Name: "Agent"}, {Name: "Caller", Channel: 1}}}
	at := time.Second
	for _, turn := range turns {
		who, text, _ := strings.Cut(turn, ": ")
		for w := range strings.FieldsSeq(text) {
			word := transcript.Word{Text: w, Start: at, End: at + 300*time.Millisecond,
				Speaker: strings.Index("AC", who)}
			if strings.Trim(w, ".,?!") == "" {
				word.Kind, word.End = transcript.Punctuation, at
			} else {
				at += 400 * time.Millisecond
			}
			t.Words = append(t.Words, word)
		}
		at += time.Second
	}
	t.Length = at
	return t
}

// marked formats a transcript with the findings of one detector in brackets.
func marked(t *transcript.Transcript, detector string, level Level) string {
	regions := Find(t, &Request{Detectors: []Choice{{detector, level}}})[0]
	var words []string
	for i, w := range t.Words {
		text := w.Text
		for _, r := range regions {
			if r.First == i {
				text = "[" + text
			}
			if r.Last == i {
				text += "]"
			}
		}
		words = append(words, text)
	}
	return strings.Join(words, " ")
}

func TestWhatIsFound(t *testing.T) {
	for _, c := range []struct {
		name, detector string
		level          Level
		turns          []string
		want           string
	}{
		{"card, digit by digit", PCI, NumbersOnly,
			[]string{"C: it is four one one one one one one one one one one one one one one one thanks"},
			"it is [four one one one one one one one one one one one one one one one] thanks"},
		{"three words on each side", PCI, EntireRegion,
			[]string{"C: i would like to pay with it is four one one one one one one one one one one one one one one " +
				"one thanks a lot for it"},
			"i would like to pay [with it is four one one one one one one one one one one one one one one one thanks " +
				"a lot] for it"},
		{"not into a turn without digits", PCI, EntireRegion,
			[]string{"A: the number please", "C: 4111 1111 1111 1111", "A: thank you so much"},
			"the number please [4111 1111 1111 1111] thank you so much"},
		{"turns between", PCI, EntireRegion,
			[]string{"A: card number", "C: four one one one", "A: mm-hmm", "C: one one one one", "A: go on",
				"C: one one one one one one one one"},
			"card number [four one one one mm-hmm one one one one go on one one one one one one one one]"},
		{"wrongly recognised neighbours", PCI, ProbableNumbers,
			[]string{"A: card number", "C: for one one won one one one one one one one one one one one one"},
			"card number [for one one won one one one one one one one one one one one one]"},
		{"only what is sure", PCI, NumbersOnly,
			[]string{"A: card number", "C: four one one won one one one one one one one one one one one one"},
			"card number [four one one] won [one one one one one one one one one one one one]"},
		{"expiry and code", PCI, NumbersOnly,
			[]string{"A: and the expiration date on the card", "C: oh four twenty seven", "A: and the security code",
				"C: three double two"},
			"and the expiration date on the card [oh four twenty seven] and the security code [three double two]"},
		{"last four of a card", PCI, EntireRegion, []string{"A: the visa card ending in four two four two", "C: yes"},
			"the visa card ending in four two four two yes"},
		{"tracking number that is no card", PCI, EntireRegion,
			[]string{"C: the tracking number is four one one one two two two two three three three three four four " +
				"four four"},
			"the tracking number is four one one one two two two two three three three three four four four four"},
		{"written with hyphens", PCI, NumbersOnly, []string{"C: it's 4111-1111-1111-1111 ."},
			"it's [4111-1111-1111-1111] ."},
		{"social", SSN, EntireRegion, []string{"A: your social please", "C: one two three", "A: okay",
			"C: forty five sixty seven eighty nine"},
			"your social please [one two three okay forty five sixty seven eighty nine]"},
		{"social as it is written", SSN, EntireRegion, []string{"C: here 123-45-6789 it is"},
			"here [123-45-6789] it is"},
		{"last four of a social", SSN, EntireRegion,
			[]string{"A: the last four of your social", "C: six seven eight nine"},
			"the last four of your social [six seven eight nine]"},
		{"corrected", SSN, EntireRegion,
			[]string{"A: your social please", "C: one two three four six no sorry four five six seven eight nine"},
			"your social please [one two three four six no sorry four five six seven eight nine]"},
		{"no social", SSN, EntireRegion,
			[]string{"A: your account number please", "C: one two three four five six seven eight nine"},
			"your account number please one two three four five six seven eight nine"},
		{"phone", PII, EntireRegion, []string{"C: call me back at two oh six five five five oh one four seven please"},
			"call me back at [two oh six five five five oh one four seven] please"},
		{"phone as it is written", PII, EntireRegion, []string{"C: it is (206) 555-0147"}, "it is [(206) 555-0147]"},
		{"mail", PII, EntireRegion, []string{"C: my email is j dot smith nine at gmail dot com thanks"},
			"my email is [j dot smith nine at gmail dot com] thanks"},
		{"mail as it is written", PII, EntireRegion, []string{"C: write to j.smith@example.com ."},
			"write to [j.smith@example.com] ."},
		{"name", PII, EntireRegion, []string{"A: your name please", "C: sarah fitzgerald", "A: thank you"},
			"your name please [sarah fitzgerald] thank you"},
		{"birth date", PII, EntireRegion, []string{"A: and your date of birth", "C: june fifth nineteen eighty two"},
			"and your date of birth [june fifth nineteen eighty two]"},
		{"birth date as it is written", PII, EntireRegion,
			[]string{"A: your date of birth ?", "C: Sure , it's July 4th , 1985 ."},
			"your date of birth ? Sure , it's [July 4th , 1985] ."},
		{"telephone number without area code", PII, EntireRegion,
			[]string{"C: My phone number is 555-1234 . Thank you"}, "My phone number is [555-1234] . Thank you"},
		{"another date", PII, EntireRegion, []string{"A: it was delivered on june fifth"},
			"it was delivered on june fifth"},
		{"price", PCI, EntireRegion, []string{"A: your card was charged one hundred thirty eight dollars and sixty " +
			"five cents"},
			"your card was charged one hundred thirty eight dollars and sixty five cents"},
		{"numbers", Number, EntireRegion, []string{"C: one of us paid twelve dollars for order five five one two"},
			"one of us paid [twelve] dollars for order [five five one two]"},
	} {
		if got := marked(said(c.turns...), c.detector, c.level); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.name, got, c.want)
		}
	}
}

// brisk is said without pauses between the turns: a speaker's words before and after the other's form one turn.
func brisk(turns ...string) *transcript.Transcript {
	t := said(turns...)
	for i := range t.Words {
		t.Words[i].Start, t.Words[i].End = time.Duration(i)*250*time.Millisecond,
			time.Duration(i+1)*250*time.Millisecond
	}
	return t
}

func TestWordsBesideACardAreOfItsLastSpeakerAlone(t *testing.T) {
	for _, c := range []struct {
		name  string
		turns []string
		want  string
	}{
		{"behind", []string{"C: sure it's 4929 1381 3424", "A: 3424", "C: 7329", "A: have a nice day and goodbye"},
			"[sure it's 4929 1381 3424 3424 7329] have a nice day and goodbye"},
		{"in front", []string{"A: good morning and welcome here", "C: 4929", "A: 4929", "C: 1381 3424 7329 thanks"},
			"good morning and welcome here [4929 4929 1381 3424 7329 thanks]"},
		{"another between", []string{"C: it's 4929 1381 3424 7329", "A: got it", "C: bye then"},
			"[it's 4929 1381 3424 7329] got it bye then"},
		{"another between in front", []string{"C: well", "A: go on", "C: it's 4929 1381 3424 7329"},
			"well go on [it's 4929 1381 3424 7329]"},
		{"in words", []string{"C: okay four nine two nine one three eight one three four two four",
			"A: three four two four", "C: seven three two nine", "A: have a nice day and goodbye"},
			"[okay four nine two nine one three eight one three four two four three four two four seven three two " +
				"nine] have a nice day and goodbye"},
		{"beside what is read back", []string{"C: it's 4929 1381 3424 7329", "A: 7329 have a nice day", "C: thanks"},
			"[it's 4929 1381 3424 7329 7329 have a nice] day thanks"},
	} {
		for pace, call := range map[string]*transcript.Transcript{"brisk": brisk(c.turns...),
			"slow": said(c.turns...)} {
			if got := marked(call, PCI, EntireRegion); got != c.want {
				t.Errorf("%s, %s:\n%s, want\n%s", c.name, pace, got, c.want)
			}
		}
	}
}

func TestInOtherLanguagesFiguresAreFound(t *testing.T) {
	tr := said("C: mi tarjeta es 4111 1111 1111 1111 y one two")
	regions := Find(tr, &Request{Detectors: []Choice{{PCI, NumbersOnly}, {Number, EntireRegion}}, FiguresOnly: true})
	if got := fmt.Sprint(len(regions[0]), len(regions[1])); got != "1 1" || regions[0][0].First != 3 ||
		regions[0][0].Last != 6 {
		t.Errorf("%+v", regions)
	}
}

func TestARegionIsReportedForEverySpeakerOfItsWords(t *testing.T) {
	tr := said("A: card number", "C: four one one one", "A: mm-hmm",
		"C: one one one one one one one one one one one one", "C: that's all I have")
	r := Find(tr, &Request{Detectors: []Choice{{PCI, EntireRegion}, {PCI, NumbersOnly}}})
	if len(r[0]) != 1 || len(r[0][0].Each()) != 2 {
		t.Fatalf("%+v, want one region of two speakers", r[0])
	}
	for i, o := range r[0][0].Each() {
		if o.Speaker != i || o.Start != r[0][0].Start || o.End != r[0][0].End || o.Class != r[0][0].Class {
			t.Errorf("%+v for speaker %d of %+v", o, i, r[0][0])
		}
	}
	for _, narrow := range r[1] {
		if e := narrow.Each(); len(e) != 1 || e[0] != narrow.Occurrence || e[0].Speaker != 1 {
			t.Errorf("%+v, want the caller alone", e)
		}
	}
}

func TestRegionsHaveTheTimesAndTheSpeakerOfTheirWords(t *testing.T) {
	tr := said("A: card number", "C: four one one one", "A: yes", "C: one one one one one one one one one one one one")
	r := Find(tr, &Request{Detectors: []Choice{{PCI, EntireRegion}}})[0]
	if len(r) != 1 || r[0].Speaker != 1 || r[0].Start != tr.Words[2].Start ||
		r[0].End != tr.Words[len(tr.Words)-1].End || r[0].Class.Label != "pci" {
		t.Errorf("%+v", r)
	}
}

// FuzzFind checks the invariants of every result on arbitrary text.
func FuzzFind(f *testing.F) {
	f.Add("A: card number C: four one one one A: uh-huh C: double one 4111-11 for to oh", int64(1))
	f.Add("C: my name is s m i t h at gmail dot com june the fifth of may 12/25 $5.00 1,000", int64(2))
	for seed := range uint64(4) {
		c := dialogue.Make(seed, 0)
		var words []string
		for _, w := range c.Transcript.Words {
			words = append(words, w.Text)
		}
		f.Add(strings.Join(words, " "), int64(seed))
	}
	f.Fuzz(func(t *testing.T, text string, seed int64) {
		tr := scattered(text, seed)
		request := &Request{FiguresOnly: seed%7 == 0}
		for _, d := range Detectors() {
			for level := range Levels() {
				request.Detectors = append(request.Detectors, Choice{d.Name, Level(level)})
			}
		}
		for i, regions := range Find(tr, request) {
			last := -1
			for _, r := range regions {
				if r.First <= last || r.Last < r.First || r.Last >= len(tr.Words) || r.Speaker < 0 ||
					r.Speaker >= len(tr.Speakers) || r.Start != tr.Words[r.First].Start || r.End < r.Start {
					t.Fatalf("%v: region %+v after word %d of %d", request.Detectors[i], r, last, len(tr.Words))
				}
				last = r.Last
			}
		}
	})
}

// scattered returns a text whose words three parties say at times that depend on a seed.
func scattered(text string, seed int64) *transcript.Transcript {
	t := &transcript.Transcript{Speakers: make([]transcript.Speaker, 3)}
	at := time.Duration(0)
	words := strings.Fields(text)
	for i, w := range words[:min(len(words), 2000)] {
		mix := (seed + int64(i)*7919) % 11
		word := transcript.Word{Text: w, Start: at, End: at + 200*time.Millisecond,
			Speaker: int((mix%11 + 11) % 11 / 5)}
		if slices.Contains([]string{".", ",", "?"}, w) {
			word.Kind, word.End = transcript.Punctuation, at
		}
		t.Words = append(t.Words, word)
		at += time.Duration((mix%11+11)%11) * 100 * time.Millisecond
	}
	return t
}

// BenchmarkFind runs all detectors on an hour of conversation.
func BenchmarkFind(b *testing.B) {
	t := hour()
	request := &Request{Detectors: []Choice{{PCI, EntireRegion}, {SSN, EntireRegion}, {Number, EntireRegion},
		{PII, EntireRegion}}}
	b.ReportMetric(float64(len(t.Words)), "words")
	for b.Loop() {
		Find(t, request)
	}
}

// hour returns concatenated calls, 10,000 words in total.
func hour() *transcript.Transcript {
	t := &transcript.Transcript{Speakers: dialogue.Make(1, 0).Transcript.Speakers}
	for seed := uint64(0); len(t.Words) < 10_000; seed++ {
		c := dialogue.Make(seed, int(seed%2)).Transcript
		for _, w := range c.Words {
			w.Start, w.End = w.Start+t.Length, w.End+t.Length
			w.Speaker = min(w.Speaker, len(t.Speakers)-1)
			t.Words = append(t.Words, w)
		}
		t.Length += c.Length
	}
	return t
}

// BenchmarkFindDigits runs all detectors on a call in which nearly every word may be part of a number.
func BenchmarkFindDigits(b *testing.B) {
	for name, text := range map[string]string{"run": "one", "chunks": "one yes",
		"turns": "four to uh-huh my name is at gmail"} {
		b.Run(name, func(b *testing.B) {
			var words []string
			for len(words) < 10_000 {
				words = append(words, strings.Fields(text)...)
			}
			t := said("C: " + strings.Join(words, " "))
			request := &Request{Detectors: []Choice{{PCI, EntireRegion}, {SSN, EntireRegion}, {Number, EntireRegion},
				{PII, EntireRegion}}}
			for b.Loop() {
				Find(t, request)
			}
		})
	}
}
