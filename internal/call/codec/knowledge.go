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

// keptKnowledge converts to the stored form; nil stays nil.
func keptKnowledge(f *found.Result) *knowledge {
	if f == nil {
		return nil
	}
	return &knowledge{each(f.Keywords, keepKeyword), each(f.Topics, func(t found.Topic) topic {
		return topic{t.Name, t.Relevance, each(t.Subtopics, func(s found.Score) subtopic { return subtopic(s) }),
			each(t.Keywords, keepKeyword)}
	})}
}

// found converts from the stored form; nil stays nil.
func (k *knowledge) found() *found.Result {
	if k == nil {
		return nil
	}
	return &found.Result{Keywords: each(k.Keywords, keyword.found), Topics: each(k.Topics, func(t topic) found.Topic {
		return found.Topic{Name: t.Name, Relevance: t.Relevance, Keywords: each(t.Keywords, keyword.found),
			Subtopics: each(t.Subtopics, func(s subtopic) found.Score { return found.Score(s) })}
	})}
}
