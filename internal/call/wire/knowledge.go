package wire

import (
	"parley/internal/analysis/knowledge"
	"parley/internal/words/list"
	"parley/internal/words/transcript"
)

// Knowledge is the section of a media item with its keywords and topics.
type Knowledge struct {
	Keywords []Keyword `json:"keywords"`
	Topics   []Topic   `json:"topics"`
}

// Topic is a topic with its subtopics, under both of their documented names.
type Topic struct {
	TopicName string     `json:"topicName"`
	Relevance float64    `json:"relevance"` // 0..1
	Subtopics []Subtopic `json:"subtopics"`
	SubTopics []Subtopic `json:"subTopics"`
	Keywords  []Keyword  `json:"keywords"`
}

// Subtopic is a part of a topic.
type Subtopic struct {
	Name  string  `json:"name"`
	Score float64 `json:"score"` // 0..1
}

func newKnowledge(t *transcript.Transcript, f *knowledge.Result) *Knowledge {
	if f == nil {
		return nil
	}
	return &Knowledge{newKeywords(t, f.Keywords), list.Map(f.Topics, func(found knowledge.Topic) Topic {
		subtopics := list.Map(found.Subtopics, func(s knowledge.Score) Subtopic {
			return Subtopic{s.Name, round(s.Score, 3)}
		})
		return Topic{found.Name, round(found.Relevance, 3), subtopics, subtopics, newKeywords(t, found.Keywords)}
	})}
}

func newKeywords(t *transcript.Transcript, found []transcript.Keyword) []Keyword {
	return list.Map(found, func(k transcript.Keyword) Keyword {
		return Keyword{k.Text, round(k.Relevance, 3), list.Map(k.Mentions, func(m transcript.Mention) SpeakerPlaces {
			places := list.Map(m.Occurrences, func(o transcript.Occurrence) Place {
				return Place{ms(o.Start), ms(o.End), o.Exact}
			})
			return SpeakerPlaces{t.Speakers[m.Speaker].Name, places}
		})}
	})
}
