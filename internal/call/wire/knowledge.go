package wire

import (
	"parley/internal/analysis/knowledge"
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
	w := &Knowledge{Keywords: newKeywords(t, f.Keywords), Topics: []Topic{}}
	for _, found := range f.Topics {
		topic := Topic{TopicName: found.Name, Relevance: round(found.Relevance, 3),
			Keywords: newKeywords(t, found.Keywords), Subtopics: []Subtopic{}}
		for _, s := range found.Subtopics {
			topic.Subtopics = append(topic.Subtopics, Subtopic{s.Name, round(s.Score, 3)})
		}
		topic.SubTopics = topic.Subtopics
		w.Topics = append(w.Topics, topic)
	}
	return w
}

func newKeywords(t *transcript.Transcript, found []transcript.Keyword) []Keyword {
	list := make([]Keyword, len(found))
	for i, k := range found {
		list[i] = Keyword{k.Text, round(k.Relevance, 3), []SpeakerPlaces{}}
		for _, m := range k.Mentions {
			mention := SpeakerPlaces{SpeakerName: t.Speakers[m.Speaker].Name}
			for _, o := range m.Occurrences {
				mention.Occurrences = append(mention.Occurrences, Place{ms(o.Start), ms(o.End), o.Exact})
			}
			list[i].Mentions = append(list[i].Mentions, mention)
		}
	}
	return list
}
