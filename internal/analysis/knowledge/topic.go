package knowledge

import (
	"cmp"
	"math"
	"slices"
)

const (
	fullTopic    = 15. // weight of a certain member
	halfTopic    = 3.  // evidence for a relevance of .5
	leastTopic   = .2  // minimum relevance of a topic
	mostTopics   = 10  // maximum number of topics, and of keywords of a topic
	ofSecond     = .5  // factor of the evidence of a word for each further subtopic
	leastShare   = .15 // minimum share of a subtopic in the evidence of its topic
	rareTopic    = 1   // a topic needs more distinct words than this
	supportsFrom = .05 // minimum evidence of a word that is listed with its topic
)

// support is the evidence of one candidate for a topic.
type support struct {
	*candidate
	evidence float64
}

// subject accumulates the evidence of a topic.
type subject struct {
	name      string
	total     float64
	subtopics map[string]float64
	supports  []support
}

// topics returns the topics of the call.
func (c *collection) topics() []Topic {
	found := []Topic{}
	for _, s := range c.subjects() {
		if r := s.total / (s.total + halfTopic); r >= leastTopic && len(s.supports) > rareTopic &&
			len(found) < mostTopics {
			found = append(found, c.topic(s, r))
		}
	}
	return found
}

// subjects collects the evidence, the strongest subject first.
func (c *collection) subjects() []*subject {
	byName := map[string]*subject{}
	var all []*subject
	for _, one := range c.ordered {
		share := 1.
		for _, m := range one.topics {
			if one.rejected {
				break
			}
			of := c.lexicon.Subtopics[m.Subtopic]
			s := byName[of.Topic]
			if s == nil {
				s = &subject{name: of.Topic, subtopics: map[string]float64{}}
				byName[of.Topic] = s
				all = append(all, s)
			}
			s.add(one, of.Name, share*one.evidence()*float64(m.Weight)/fullTopic)
			share *= ofSecond
		}
	}
	slices.SortStableFunc(all, func(a, b *subject) int { return cmp.Compare(b.total, a.total) })
	return all
}

// evidence returns the square root of the number of mentions of a candidate outside phrases of the lexicon, times the
// square root of its weight.
func (c *candidate) evidence() float64 {
	own := float64(len(c.places) - c.inFixed)
	if own <= 0 {
		return 0
	}
	return math.Sqrt(own) * math.Sqrt(c.weight())
}

func (s *subject) add(one *candidate, subtopic string, evidence float64) {
	if evidence < supportsFrom {
		return
	}
	s.total += evidence
	s.subtopics[subtopic] += evidence
	if n := len(s.supports) - 1; n >= 0 && s.supports[n].candidate == one {
		s.supports[n].evidence += evidence
		return
	}
	s.supports = append(s.supports, support{one, evidence})
}

func (c *collection) topic(s *subject, relevance float64) Topic {
	t := Topic{Name: s.name, Relevance: relevance}
	for name, evidence := range s.subtopics {
		if evidence >= leastShare*s.total {
			t.Subtopics = append(t.Subtopics, Score{name, evidence / (evidence + halfTopic)})
		}
	}
	slices.SortFunc(t.Subtopics, func(a, b Score) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Name, b.Name))
	})
	slices.SortStableFunc(s.supports, func(a, b support) int { return cmp.Compare(b.evidence, a.evidence) })
	for _, one := range s.supports[:min(mostTopics, len(s.supports))] {
		t.Keywords = append(t.Keywords, c.keyword(one.candidate, min(1, one.evidence/s.supports[0].evidence)))
	}
	return t
}
