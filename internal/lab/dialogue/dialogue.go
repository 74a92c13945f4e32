// Package dialogue generates calls in which people say numbers, with a label for each word: cards of all brands, social
// security numbers, telephone numbers, dates of birth, and many numbers that are not sensitive.
//
// Numbers are said digit by digit, in pairs or doubled, in chunks with the other party's echoes, corrected, read back,
// with hesitations and with recognition errors, or they are written in figures. The same seed generates the same call.
// There are several sets of sentences, so that detectors can be measured with sentences that were not used to develop
// them.
package dialogue

import (
	"math/rand/v2"
	"time"

	"parley/internal/words/transcript"
)

// Kind is the meaning of a number.
type Kind string

// The kinds. From Account on they are not personal data.
const (
	Card      Kind = "card"
	Expiry    Kind = "expiry"
	Security  Kind = "security"
	Social    Kind = "social"
	Phone     Kind = "phone"
	Birthdate Kind = "birthdate"
	Email     Kind = "email"
	Name      Kind = "name"
	Account   Kind = "account"
	Order     Kind = "order"
	Zip       Kind = "zip"
	Price     Kind = "price"
	Date      Kind = "date"
	Clock     Kind = "clock"
	Count     Kind = "count"
	LastFour  Kind = "lastfour" // the last four digits of a card
)

// Call is a generated call.
type Call struct {
	Transcript *transcript.Transcript
	Labels     []Kind // of each word: the kind of the number that it is part of, empty for others
}

// Sets is the number of sets of sentences. Performance on unseen sentences is measured with a newly written set; see
// docs/detection.md.
const Sets = 6

// Make generates a call with the sentences of a set, counted from 0, as a good recogniser would output it.
func Make(seed uint64, set int) *Call { return Heard(seed, set, 0) }

// Heard is Make with recognition errors: the share mistaken of number words, 0 to 1, is replaced by other words.
func Heard(seed uint64, set int, mistaken float64) *Call {
	b := &builder{Rand: rand.New(rand.NewPCG(seed, 20)), script: scripts[set], mistaken: mistaken}
	b.written = b.chance(.2) && mistaken == 0
	b.stereo = b.chance(.8)
	b.call()
	return b.finish()
}

// builder generates one call.
type builder struct {
	*rand.Rand
	script  *script
	written bool // in figures
	stereo  bool
	turns   []turn

	mistaken float64 // share of number words that are replaced by other words
}

type turn struct {
	speaker int
	words   []labelled
}

type labelled struct {
	text string
	kind Kind
}

func (b *builder) chance(p float64) bool { return b.Float64() < p }

func (b *builder) pick(list []string) string { return list[b.IntN(len(list))] }

// call generates a greeting, a few topics with small talk between them, and a goodbye.
func (b *builder) call() {
	b.lines(b.pick(b.script.opening))
	topics := []Kind{Card, Social, Phone, Birthdate, Account, Order, Zip, Price, Date, Clock, Count, LastFour, Email,
		Name}
	b.Shuffle(len(topics), func(i, k int) { topics[i], topics[k] = topics[k], topics[i] })
	for _, k := range topics[:2+b.IntN(4)] {
		b.topic(k)
		for range b.IntN(4) {
			b.lines(b.pick(b.script.talk))
		}
	}
	b.lines(b.pick(b.script.closing))
}

// say adds words to the turn of a speaker.
func (b *builder) say(speaker int, words ...labelled) {
	if n := len(b.turns); n == 0 || b.turns[n-1].speaker != speaker {
		b.turns = append(b.turns, turn{speaker: speaker})
	}
	t := &b.turns[len(b.turns)-1]
	t.words = append(t.words, words...)
}

// finish sets the times of the words. On a mono recording both speakers become one.
func (b *builder) finish() *Call {
	t := &transcript.Transcript{Language: "en-US",
		Speakers: []transcript.Speaker{{Name: "Agent", Role: transcript.Agent},
			{Name: "Caller", Role: transcript.Caller, Channel: 1}}}
	if !b.stereo {
		t.Speakers = []transcript.Speaker{{Name: transcript.DefaultSpeaker, Channel: transcript.NoChannel}}
	}
	channels := make([][]transcript.Word, len(t.Speakers))
	at := time.Second
	for _, turn := range b.turns {
		speaker := min(turn.speaker, len(channels)-1)
		for _, w := range turn.words {
			long := time.Duration(180+10*b.IntN(25)) * time.Millisecond
			channels[speaker] = append(channels[speaker],
				transcript.Word{Text: w.text, Start: at, End: at + long, Confidence: .9, Speaker: speaker,
					Markers: []string{string(w.kind)}})
			at += long + time.Duration(10*b.IntN(12))*time.Millisecond
		}
		at += time.Duration(100+10*b.IntN(90)) * time.Millisecond
		if b.stereo && len(turn.words) > 2 && b.chance(.15) {
			at -= 400 * time.Millisecond // the next speaker starts before the end
		}
	}
	call := &Call{Transcript: t}
	t.Words, t.Length = transcript.Merge(channels...), at
	for i := range t.Words {
		call.Labels = append(call.Labels, Kind(t.Words[i].Markers[0]))
		t.Words[i].Markers = nil
	}
	return call
}
