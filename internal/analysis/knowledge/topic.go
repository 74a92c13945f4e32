package knowledge

import (
	"cmp"
	"math"
	"slices"
)

const (
	fullTopic    = 15. // weight of a member that is sure
	halfTopic    = 3.  // evidence for which the relevance of a topic is a half
	leastTopic   = .2  // relevance of what is a topic
	mostTopics   = 10  // topics, and keywords of one
	ofSecond     = .5  // how much of a word counts for its second subtopic, and so on
	leastShare   = .15 // of a subtopic in the evidence of its topic
	rareTopic    = 1   // different words that are not enough for a topic
	supportsFrom = .05 // evidence of a word that is shown with its topic
)

// support is what one candidate says for a topic.
type support struct {
	*candidate
	evidence float64
}

// subject is a topic while its evidence is gathered.
type subject struct {
	name      string
	total     float64
	subtopics map[string]float64
	supports  []support
}

// topics returns what the words of the call belong to.
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

// subjects gathers the evidence, the strongest subject first.
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

// evidence is how much a candidate is talked about, not counting where it is a part of a phrase of the lexicon.
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
