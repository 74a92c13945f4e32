package detect

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"parley/internal/lab/dialogue"
	"parley/internal/words/numeral"
	"parley/internal/words/transcript"
)

// sought maps each detector to the kinds that it must find in a generated call.
var sought = map[string][]dialogue.Kind{
	PCI: {dialogue.Card, dialogue.Expiry, dialogue.Security},
	SSN: {dialogue.Social},
	PII: {dialogue.Phone, dialogue.Birthdate, dialogue.Email, dialogue.Name},
	Number: {dialogue.Card, dialogue.Social, dialogue.Phone, dialogue.Account, dialogue.Order, dialogue.Zip,
		dialogue.LastFour},
}

// neither maps detectors to kinds that count neither as hits nor as false alarms: the last digits of a card; for the
// detector of all numbers, dates and other numbers.
var neither = map[string][]dialogue.Kind{
	PCI: {dialogue.LastFour},
	Number: {dialogue.Price, dialogue.Date, dialogue.Clock, dialogue.Count, dialogue.Expiry, dialogue.Security,
		dialogue.Birthdate, dialogue.Email},
}

// score counts words.
type score struct{ hit, miss, wrong int }

func (s score) recall() float64    { return float64(s.hit) / float64(max(s.hit+s.miss, 1)) }
func (s score) precision() float64 { return float64(s.hit) / float64(max(s.hit+s.wrong, 1)) }

// measured holds the scores of detectors on generated calls: words found at the level probableNumbers, and recall at
// entireRegion.
type measured struct {
	probable map[string]score
	kinds    map[dialogue.Kind]score // at entireRegion, by the detector responsible for them
	regions  map[string]score        // at entireRegion: those that overlap sought words, and others
}

// measure runs all detectors on generated calls.
func measure(seeds, set int) measured {
	m := measured{map[string]score{}, map[dialogue.Kind]score{}, map[string]score{}}
	names := []string{PCI, SSN, PII, Number}
	request := &Request{}
	for _, name := range names {
		request.Detectors = append(request.Detectors, Choice{name, ProbableNumbers}, Choice{name, EntireRegion})
	}
	for seed := range uint64(seeds) {
		c := dialogue.Make(seed, set)
		found := Find(c.Transcript, request)
		for i, name := range names {
			m.add(c, name, found[2*i], found[2*i+1])
		}
	}
	return m
}

// add adds the findings of a detector in a call.
func (m measured) add(c *dialogue.Call, name string, narrow, wide []Region) {
	probable, entire := covered(c.Transcript, narrow), covered(c.Transcript, wide)
	s, r := m.probable[name], m.regions[name]
	for w, k := range c.Labels {
		is := slices.Contains(sought[name], k)
		switch {
		case is && probable[w]:
			s.hit++
		case is:
			s.miss++
		case probable[w] && !slices.Contains(neither[name], k) && !neutral(c, w, name):
			s.wrong++
		}
		if is && name != Number {
			of := m.kinds[k]
			if entire[w] {
				of.hit++
			} else {
				of.miss++
			}
			m.kinds[k] = of
		}
	}
	for _, region := range wide {
		if touches(c, region, sought[name]) || touches(c, region, neither[name]) {
			r.hit++
		} else {
			r.wrong++
		}
	}
	m.probable[name], m.regions[name] = s, r
}

var fillers = []string{"uh", "um", "er", "and", "dash", "slash", "of", "the", "dot", "at", "underscore"}

func touches(c *dialogue.Call, r Region, kinds []dialogue.Kind) bool {
	for i := r.First; i <= r.Last; i++ {
		if slices.Contains(kinds, c.Labels[i]) {
			return true
		}
	}
	return false
}

func covered(t *transcript.Transcript, regions []Region) []bool {
	all := make([]bool, len(t.Words))
	for _, r := range regions {
		for i := r.First; i <= r.Last; i++ {
			all[i] = true
		}
	}
	return all
}

// neutral reports whether a word outside all numbers is not scored: a word between digits or, for the detector of all
// numbers, a number.
func neutral(c *dialogue.Call, w int, name string) bool {
	text := c.Transcript.Words[w].Text
	e := lexicon[text]
	return c.Labels[w] == "" && (slices.Contains(fillers, text) || name == Number && !e.In(numeral.Other, misheard))
}

func (m measured) String() string {
	var b strings.Builder
	for _, name := range []string{PCI, SSN, PII, Number} {
		s, r := m.probable[name], m.regions[name]
		fmt.Fprintf(&b, "%-7s words %6d recall %.4f precision %.4f | regions %5d precision %.4f\n", name, s.hit+s.miss,
			s.recall(), s.precision(), r.hit+r.wrong, r.precision())
	}
	for _, k := range slices.Concat(sought[PCI], sought[SSN], sought[PII]) {
		s := m.kinds[k]
		fmt.Fprintf(&b, "  %-10s words %6d recall in regions %.4f\n", k, s.hit+s.miss, s.recall())
	}
	return b.String()
}

// sensitive returns the total recall of the digits of cards, social security numbers, telephone numbers and birth
// dates.
func (m measured) sensitive() float64 {
	var all score
	for _, k := range []dialogue.Kind{dialogue.Card, dialogue.Expiry, dialogue.Security, dialogue.Social,
		dialogue.Phone, dialogue.Birthdate} {
		all.hit, all.miss = all.hit+m.kinds[k].hit, all.miss+m.kinds[k].miss
	}
	return all.recall()
}

// TestNumbersInGeneratedCallsAreFound uses 2,100 calls; with PARLEY_SOAK=1, ten times as many.
func TestNumbersInGeneratedCallsAreFound(t *testing.T) {
	seeds := 350
	if os.Getenv("PARLEY_SOAK") != "" {
		seeds = 3500
	}
	for set := range dialogue.Sets {
		m := measure(seeds, set)
		t.Logf("set %d, sensitive digits found %.4f\n%s", set, m.sensitive(), m)
		if m.sensitive() < .995 {
			t.Errorf("set %d: %.4f of the sensitive digits are found", set, m.sensitive())
		}
		for _, name := range []string{PCI, SSN, PII} {
			if p := m.probable[name].precision(); p < .9 {
				t.Errorf("set %d: precision of %s is %.4f", set, name, p)
			}
		}
	}
}

// TestNumbersOnBadLinesAreFound replaces every tenth number word by another word.
func TestNumbersOnBadLinesAreFound(t *testing.T) {
	m := measured{map[string]score{}, map[dialogue.Kind]score{}, map[string]score{}}
	for seed := range uint64(80) {
		for set := range dialogue.Sets {
			c := dialogue.Heard(seed, set, .1)
			for _, name := range []string{PCI, SSN, PII} {
				found := Find(c.Transcript, &Request{Detectors: []Choice{{name, ProbableNumbers}, {name, EntireRegion}}})
				m.add(c, name, found[0], found[1])
			}
		}
	}
	t.Logf("sensitive digits found %.4f\n%s", m.sensitive(), m)
	if m.sensitive() < .965 {
		t.Errorf("%.4f of the sensitive digits are found", m.sensitive())
	}
}
