package codec

import found "parley/internal/analysis/knowledge"

// knowledge is the stored form of a knowledge.Result. Times are in nanoseconds.
type knowledge struct {
	Keywords []keyword `json:"keywords"`
	Topics   []topic   `json:"topics"`
}

type topic struct {
	Name      string     `json:"name"`
	Relevance float64    `json:"relevance"`
	Subtopics []subtopic `json:"subtopics"`
	Keywords  []keyword  `json:"keywords"`
}

type subtopic struct {
	Name  string  `json:"name"`
	Score float64 `json:"score"`
}

// newKnowledge converts to the stored form; nil stays nil.
func newKnowledge(f *found.Result) *knowledge {
	if f == nil {
		return nil
	}
	return &knowledge{each(f.Keywords, newKeyword), each(f.Topics, func(t found.Topic) topic {
		return topic{t.Name, t.Relevance, each(t.Subtopics, func(s found.Score) subtopic { return subtopic(s) }),
			each(t.Keywords, newKeyword)}
	})}
}

// decode converts from the stored form; nil stays nil.
func (k *knowledge) decode() *found.Result {
	if k == nil {
		return nil
	}
	return &found.Result{Keywords: each(k.Keywords, keyword.decode), Topics: each(k.Topics, func(t topic) found.Topic {
		return found.Topic{Name: t.Name, Relevance: t.Relevance, Keywords: each(t.Keywords, keyword.decode),
			Subtopics: each(t.Subtopics, func(s subtopic) found.Score { return found.Score(s) })}
	})}
}
