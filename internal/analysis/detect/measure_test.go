package detect

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"parley/internal/analysis/detect/dialogue"
	"parley/internal/transcript"
)

// sought is what each detector looks for in a generated call.
var sought = map[string][]dialogue.Kind{
	PCI:    {dialogue.Card, dialogue.Expiry, dialogue.Security},
	SSN:    {dialogue.Social},
	PII:    {dialogue.Phone, dialogue.Birthdate, dialogue.Email, dialogue.Name},
	Number: {dialogue.Card, dialogue.Social, dialogue.Phone, dialogue.Account, dialogue.Order, dialogue.Zip, dialogue.LastFour},
}

// neither are words that a detector may find or not: the last digits of a card, dates and other numbers for the detector of all.
var neither = map[string][]dialogue.Kind{
	PCI:    {dialogue.LastFour},
	Number: {dialogue.Price, dialogue.Date, dialogue.Clock, dialogue.Count, dialogue.Expiry, dialogue.Security, dialogue.Birthdate, dialogue.Email},
}

// score counts words.
type score struct{ hit, miss, wrong int }

func (s score) recall() float64    { return float64(s.hit) / float64(max(s.hit+s.miss, 1)) }
func (s score) precision() float64 { return float64(s.hit) / float64(max(s.hit+s.wrong, 1)) }

// measured is how well detectors do on generated calls: words found at the level probableNumbers, and recall at entireRegion.
type measured struct {
	probable map[string]score
	kinds    map[dialogue.Kind]score // at entireRegion, by the detector that looks for them
	regions  map[string]score        // at entireRegion: those that touch what is sought, and others
}

// measure looks for everything in generated calls.
func measure(from, to uint64, held bool, show func(string)) measured {
	m := measured{map[string]score{}, map[dialogue.Kind]score{}, map[string]score{}}
	names := []string{PCI, SSN, PII, Number}
	for seed := from; seed < to; seed++ {
		c := dialogue.Make(seed, held)
		for i, name := range names {
			regions := Find(c.Transcript, &Request{Detectors: []Asked{{name, ProbableNumbers}, {name, EntireRegion}}})
			probable, entire := covered(c.Transcript, regions[0]), covered(c.Transcript, regions[1])
			s, r := m.probable[name], m.regions[name]
			for w, k := range c.Labels {
				switch is := slices.Contains(sought[name], k); {
				case is && probable[w]:
					s.hit++
				case is:
					s.miss++
				case probable[w] && !slices.Contains(neither[name], k) && k != "":
					s.wrong++
				case probable[w] && k == "" && !slices.Contains(fillers, c.Transcript.Words[w].Text):
					if e := lexicon[c.Transcript.Words[w].Text]; name != Number || e.class == other || e.class == misheard {
						s.wrong++
					}
				}
				if slices.Contains(sought[name], k) && i < 3 {
					of := m.kinds[k]
					if entire[w] {
						of.hit++
					} else {
						of.miss++
					}
					m.kinds[k] = of
				}
			}
			for _, region := range regions[1] {
				if touches(c, region, sought[name]) || touches(c, region, neither[name]) {
					r.hit++
				} else {
					r.wrong++
				}
			}
			m.probable[name], m.regions[name] = s, r
			if show != nil && name == os.Getenv("DETECT_SHOW") {
				show(explain(c, name, entire, probable, seed))
			}
		}
	}
	return m
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

// explain shows what went wrong in a call: misses as !word, what is too much as +word.
func explain(c *dialogue.Call, name string, entire, probable []bool, seed uint64) string {
	var b strings.Builder
	bad := false
	for w, k := range c.Labels {
		text := c.Transcript.Words[w].Text
		if k != "" {
			text += "/" + string(k)[:2]
		}
		switch is := slices.Contains(sought[name], k); {
		case is && !entire[w]:
			text, bad = "!"+text, true
		case is && !probable[w]:
			text = "?" + text
		case probable[w] && !is && !slices.Contains(neither[name], k) && !slices.Contains(fillers, text):
			text, bad = "+"+text, true
		}
		if w > 0 && c.Transcript.Words[w].Speaker != c.Transcript.Words[w-1].Speaker {
			b.WriteString(" | ")
		}
		b.WriteString(text + " ")
	}
	if !bad {
		return ""
	}
	return fmt.Sprintf("%d: %s", seed, b.String())
}

func (m measured) String() string {
	var b strings.Builder
	for _, name := range []string{PCI, SSN, PII, Number} {
		s, r := m.probable[name], m.regions[name]
		fmt.Fprintf(&b, "%-7s words %6d recall %.4f precision %.4f | regions %5d precision %.4f\n", name, s.hit+s.miss, s.recall(), s.precision(), r.hit+r.wrong, r.precision())
	}
	for _, k := range slices.Concat(sought[PCI], sought[SSN], sought[PII]) {
		s := m.kinds[k]
		fmt.Fprintf(&b, "  %-10s words %6d recall in regions %.4f\n", k, s.hit+s.miss, s.recall())
	}
	return b.String()
}

func TestNumbersInGeneratedCallsAreFound(t *testing.T) {
	for _, held := range []bool{false, true} {
		m := measure(0, 1000, held, nil)
		t.Logf("held back %t\n%s", held, m)
	}
}

func TestShow(t *testing.T) {
	n := 0
	measure(0, 1000, os.Getenv("DETECT_SET") != "", func(s string) {
		if s != "" && n < 12 {
			n++
			fmt.Println(s + "\n")
		}
	})
}
