// Package corpus generates calls of a support line, for benchmarks and tests with a hundred thousand or a million
// calls. It stores nothing: call n of a corpus is generated on request and is always the same.
//
// Words follow Zipf's law: the most frequent words of English, then invented words made of syllables, longer with
// decreasing frequency. Two speakers take turns on separate channels. Typical sentences of agents and callers occur in
// between, some only in few calls, so that phrase searches have results. The package does not model grammar or meaning.
package corpus

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"parley/internal/words/media"
	"parley/internal/words/transcript"
)

// Config describes a corpus.
type Config struct {
	Seed  uint64        // different seeds give different calls
	Words int           // approximate number per call; 0: 1,500
	First time.Time     // creation time of call 0; zero: 2026-01-01
	Every time.Duration // interval between calls; 0: 10 s
}

// Corpus generates calls. It is safe for concurrent use.
type Corpus struct {
	Config
	words  []string
	chance alias
}

// New returns a corpus.
func New(c Config) *Corpus {
	c.Words = cmp.Or(c.Words, 1500)
	if c.First.IsZero() {
		c.First = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	c.Every = cmp.Or(c.Every, 10*time.Second)
	words := vocabulary()
	return &Corpus{Config: c, words: words, chance: zipf(len(words))}
}

// Word returns the word with this frequency rank, from 0 (most frequent) to Vocabulary-1.
func (c *Corpus) Word(rank int) string { return c.words[rank] }

// Call is one generated call.
type Call struct {
	ID         media.ID // made from its time, so that ids increase with n
	Transcript *transcript.Transcript
	Metadata   []byte // JSON
	Topic      string // the first word or words of its title
	Score      int    // 0..10, also part of the metadata
}

// Call returns call n, which must be at least 0.
func (c *Corpus) Call(n int) Call {
	g := &generator{c: c, r: rand.New(rand.NewPCG(c.Seed, uint64(n)))}
	call := Call{ID: c.ID(n), Topic: topics[g.r.IntN(len(topics))], Score: g.r.IntN(11)}
	call.Transcript = g.transcript()
	call.Metadata = g.metadata(n, call)
	return call
}

// ID returns the id of call n, a UUIDv7 with its time.
func (c *Corpus) ID(n int) media.ID {
	r := rand.New(rand.NewPCG(c.Seed+1, uint64(n)))
	ms := c.First.Add(time.Duration(n) * c.Every).UnixMilli()
	var u uuid.UUID
	for i := range 6 {
		u[i] = byte(ms >> (40 - 8*i))
	}
	for i := 6; i < 16; i++ {
		u[i] = byte(r.Uint32())
	}
	u[6], u[8] = u[6]&0x0f|0x70, u[8]&0x3f|0x80
	return media.ID(u.String())
}

// generator generates one call.
type generator struct {
	c     *Corpus
	r     *rand.Rand
	words []transcript.Word
	at    time.Duration
}

const frame = 10 * time.Millisecond // time resolution of recognisers

func (g *generator) frames(from, to int) time.Duration {
	return time.Duration(from+g.r.IntN(to-from)) * frame
}

func (g *generator) transcript() *transcript.Transcript {
	length := g.c.Words/2 + g.r.IntN(g.c.Words+1)
	g.words = make([]transcript.Word, 0, length+40)
	g.at = g.frames(20, 200)
	g.say(0, opening)
	for speaker := 1; len(g.words) < length; speaker = 1 - speaker {
		g.turn(speaker)
	}
	g.say(0, closing)
	return &transcript.Transcript{
		Language: "en-US", Words: g.words, Length: g.at + time.Second,
		Speakers: []transcript.Speaker{{Name: "Agent", Role: transcript.Agent},
			{Name: "Caller", Role: transcript.Caller, Channel: 1}},
	}
}

// turn generates one turn: sometimes a word of agreement, sometimes many words.
func (g *generator) turn(speaker int) {
	g.at += g.frames(5, 80)
	words := 1 + g.r.IntN(3)
	if g.r.IntN(3) > 0 {
		words = 4 + int(g.r.ExpFloat64()*18)
	}
	if g.r.IntN(20) == 0 {
		g.say(speaker, sentences[speaker][rare(g.r, len(sentences[speaker]))])
	}
	for range words {
		switch g.r.IntN(250) {
		case 0:
			g.word(speaker, strconv.Itoa(g.r.IntN(10_000_000)))
		case 1:
			g.word(speaker, fmt.Sprintf("$%d.%02d", g.r.IntN(500), g.r.IntN(100)))
		default:
			g.word(speaker, g.c.words[g.c.chance.draw(g.r)])
		}
	}
	g.words[len(g.words)-1].Text += "."
}

// rare draws a number below n; higher numbers are less likely.
func rare(r *rand.Rand, n int) int {
	k := 0
	for k < n-1 && r.IntN(5) < 3 {
		k++
	}
	return k
}

func (g *generator) say(speaker int, sentence string) {
	for _, text := range strings.Fields(sentence) {
		g.word(speaker, text)
	}
}

func (g *generator) word(speaker int, text string) {
	start := g.at
	g.at += g.frames(8, 20) + time.Duration(len(text))*3*frame
	g.words = append(g.words, transcript.Word{Text: text, Start: start, End: g.at, Speaker: speaker,
		Confidence: float64(50+g.r.IntN(50)) / 100})
	if g.r.IntN(12) == 0 {
		g.at += g.frames(10, 120)
	}
}

func (g *generator) metadata(n int, c Call) []byte {
	agent := g.r.IntN(200)
	return fmt.Appendf(nil, `{"title":"%s of order %d","description":"%s %s, case %d","externalId":"call-%d","extended":{"campaign":"%s","score":%d,"team":"team %d"},`+
		`"callDetails":{"agent":{"externalId":"a%d","fullName":"Agent %d"},"callDirection":"%s","callStartTime":"%s"}}`,
		c.Topic, 100_000+n, g.c.words[g.c.chance.draw(g.r)], g.c.words[g.c.chance.draw(g.r)], g.r.IntN(1_000_000), n,
		campaigns[g.r.IntN(len(campaigns))], c.Score, agent%12, agent, agent,
		[]string{"Inbound", "Outbound"}[g.r.IntN(2)], c.ID.Created().Format(time.RFC3339))
}
