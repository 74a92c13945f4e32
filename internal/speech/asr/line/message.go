package line

import (
	"parley/internal/speech/asr"
	"parley/internal/words/vocabulary"
)

// protocol is the protocol version of both sides.
const protocol = 1

// hello is the first line of an engine: its description, or the reason why it cannot work.
type hello struct {
	Protocol  int      `json:"protocol"`
	Engine    string   `json:"engine,omitempty"`
	Model     string   `json:"model,omitempty"`
	Version   string   `json:"version,omitempty"`
	Languages []string `json:"languages,omitempty"`
	MaxChunk  float64  `json:"maxChunk,omitempty"` // seconds
	Aligns    bool     `json:"aligns,omitempty"`   // supports expected
	Adapts    bool     `json:"adapts,omitempty"`   // supports learn and voices
	Error     *failure `json:"error,omitempty"`
}

// question precedes the audio of one chunk.
type question struct {
	ID           int64      `json:"id"`
	Samples      int        `json:"samples"`
	Rate         int        `json:"rate"`
	Language     string     `json:"language,omitempty"`
	Model        string     `json:"model,omitempty"`
	Source       source     `json:"source"`
	Vocabularies []wordList `json:"vocabularies,omitempty"`
	Expected     []phrase   `json:"expected,omitempty"`
	Learn        bool       `json:"learn,omitempty"`
	Voices       [][]byte   `json:"voices,omitempty"`
}

// phrase is one phrase of the known text, in order, with its possible spoken forms.
type phrase struct {
	Forms [][]string `json:"forms"`
}

type source struct {
	Rate  int  `json:"rate"`
	Call  bool `json:"call"`
	Other int  `json:"other"`
}

type wordList struct {
	Name    string   `json:"name,omitempty"`
	Kind    string   `json:"kind,omitempty"`
	Terms   []term   `json:"terms,omitempty"`
	Scripts []string `json:"scripts,omitempty"`
}

type term struct {
	Text       string   `json:"text"`
	SoundsLike []string `json:"soundsLike,omitempty"`
	Weight     float64  `json:"weight,omitempty"`
}

// answer is the result for the chunk with that id, or an error.
type answer struct {
	ID       int64    `json:"id"`
	Words    []word   `json:"words"`
	Warnings []string `json:"warnings,omitempty"`
	Voice    []byte   `json:"voice,omitempty"` // base64 of data in the engine's own format
	Error    *failure `json:"error,omitempty"`
}

// word is a recognised word; times are in seconds from the start of the chunk.
type word struct {
	Text       string   `json:"text"`
	Start      float64  `json:"start"`
	End        float64  `json:"end"`
	Confidence *float64 `json:"confidence,omitempty"` // nil: unknown to the engine
	// as written in a sentence; empty: the engine does not punctuate
	Punctuated string `json:"punctuated,omitempty"`
}

type failure struct {
	Kind    string `json:"kind"` // one of the kinds below
	Message string `json:"message"`
}

// Kinds of failure. They determine how the peer reacts.
const (
	unavailable = "unavailable" // the engine cannot work now; retry later
	invalid     = "invalid"     // the engine never accepts such a request
	failed      = "failed"      // this chunk failed
)

func ask(id int64, r asr.Request) question {
	q := question{
		ID: id, Samples: len(r.PCM.Samples), Rate: r.PCM.Rate, Language: r.Language, Model: r.Model,
		Source: source(r.Source), Learn: r.Learn, Voices: r.Voices,
	}
	for _, v := range r.Vocabulary {
		list := wordList{Name: v.Name, Kind: v.Kind, Scripts: v.Scripts}
		for _, t := range v.Terms {
			list.Terms = append(list.Terms, term(t))
		}
		q.Vocabularies = append(q.Vocabularies, list)
	}
	for _, p := range r.Expected {
		q.Expected = append(q.Expected, phrase(p))
	}
	return q
}

// request converts the question to a request without audio.
func (q *question) request() asr.Request {
	r := asr.Request{
		Language: q.Language, Model: q.Model, Source: asr.Source(q.Source), Learn: q.Learn, Voices: q.Voices,
	}
	for _, list := range q.Vocabularies {
		v := vocabulary.Vocabulary{Name: list.Name, Kind: list.Kind, Scripts: list.Scripts}
		for _, t := range list.Terms {
			v.Terms = append(v.Terms, vocabulary.Term(t))
		}
		r.Vocabulary = append(r.Vocabulary, v)
	}
	for _, p := range q.Expected {
		r.Expected = append(r.Expected, asr.Phrase(p))
	}
	return r
}
