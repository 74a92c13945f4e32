package pipeline

import (
	"slices"

	"parley/internal/call/plan"
	"parley/internal/speech/asr"
	"parley/internal/speech/formatting"
	"parley/internal/speech/punctuation"
	"parley/internal/words/mark"
	"parley/internal/words/transcript"
)

// Built says which features of a configuration this pipeline has.
func Built() plan.Built {
	english := plan.Languages{"en"}
	return plan.Built{
		plan.AdvancedPunctuation: english,
		plan.AnalyticIndexing:    nil,
		plan.Categories:          nil,
		plan.Classifiers:         nil, // what is built in: English
		plan.Diarization:         nil, // any language
		plan.Encryption:          nil,
		plan.EntityExtraction:    english,
		plan.KnowledgeDiscovery:  english,
		plan.Metrics:             nil,
		plan.NumberFormatting:    english,
		plan.ProfanityFiltering:  english,
		plan.AudioTranscode:      nil,
		plan.Callbacks:           nil,
		plan.Detectors:           nil,     // outside English what is written in figures, with a warning
		plan.Redaction:           english, // what is not understood cannot be hidden
		plan.SpeakerSentiments:   nil,     // outside English with a warning, and nothing found
		plan.Spotting:            nil,
		plan.VerbNounPairs:       english,
		plan.VoiceFeatures:       {"en", "es"},
	}
}

// Formatter makes recognised words readable. It may be used by many goroutines.
type Formatter struct {
	punctuation *punctuation.Request
}

// NewFormatter loads the models of a Formatter.
func NewFormatter() (*Formatter, error) {
	model, err := punctuation.Load()
	return &Formatter{model}, err
}

// Format formats a transcript as far as the plan asks for it: punctuation and capitals in the stretches where neither
// the engine nor whoever gave the words has set marks, then numbers as figures, which end at the end of a sentence.
func (f *Formatter) Format(t *transcript.Transcript, p *plan.Plan) *transcript.Transcript {
	if p.Formatting.Punctuation {
		if bare := punctuation.Bare(t); bare != nil {
			request := *f.punctuation
			request.Where = bare
			t = punctuation.Apply(t, &request)
		}
	}
	return formatting.Apply(t, &formatting.Request{Numbers: p.Formatting.Numbers, Profanity: p.Formatting.Profanity})
}

// written returns a recognised word as the engine writes it in a sentence, with the marks after it as words of their
// own. Without punctuation it is the bare word alone.
func written(w asr.Word, speaker int, punctuate bool) []transcript.Word {
	word := transcript.Word{Text: w.Text, Start: w.Start, End: w.End, Confidence: w.Confidence, Speaker: speaker}
	if !punctuate || w.Punctuated == "" {
		return []transcript.Word{word}
	}
	words := slices.DeleteFunc(mark.Split(word, w.Punctuated), func(w transcript.Word) bool {
		return !w.Kind.Lasts() && mark.Opening(w.Text)
	})
	first := slices.IndexFunc(words, func(w transcript.Word) bool { return w.Kind.Lasts() })
	if first < 0 {
		return append([]transcript.Word{word}, words...) // marks alone are written for it
	}
	return words[first:]
}
