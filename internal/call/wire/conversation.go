package wire

import (
	"parley/internal/analysis/verbnoun"
	"parley/internal/words/list"
	"parley/internal/words/transcript"
)

// Conversation is the section with the verb-noun pairs of a conversation.
type Conversation struct {
	SpeakerVerbNounPairs []SpeakerVerbNounPairs `json:"speakerVerbNounPairs"`
}

// SpeakerVerbNounPairs holds the verb-noun pairs of one speaker.
type SpeakerVerbNounPairs struct {
	SpeakerName   string         `json:"speakerName"`
	VerbNounPairs []VerbNounPair `json:"verbNounPairs"`
}

// VerbNounPair is a verb with a noun, in their base forms.
type VerbNounPair struct {
	S        int64  `json:"s"` // ms
	E        int64  `json:"e"` // ms
	Verb     string `json:"verb"`
	VerbNeg  string `json:"verbNeg,omitempty"`
	Noun     string `json:"noun"`
	NounNeg  string `json:"nounNeg,omitempty"`
	Question bool   `json:"question,omitempty"`
}

// newConversation returns an entry for every speaker, with the pairs in the order in which they were said.
func newConversation(t *transcript.Transcript, pairs []verbnoun.Pair) *Conversation {
	if pairs == nil {
		return nil
	}
	speakers := list.Map(t.Speakers, func(s transcript.Speaker) SpeakerVerbNounPairs {
		return SpeakerVerbNounPairs{s.Name, []VerbNounPair{}}
	})
	for _, p := range pairs {
		of := &speakers[p.Speaker]
		of.VerbNounPairs = append(of.VerbNounPairs,
			VerbNounPair{ms(p.Start), ms(p.End), p.Verb, p.VerbNeg, p.Noun, p.NounNeg, p.Question})
	}
	return &Conversation{speakers}
}
