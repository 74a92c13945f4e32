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

// Built returns which features of a configuration this pipeline supports.
func Built() plan.Built {
	english := plan.Languages{"en"}
	return plan.Built{
		plan.AdvancedPunctuation: english,
		plan.AnalyticIndexing:    nil,
		plan.Categories:          nil,
		plan.Classifiers:         nil, // the built-in ones: English
		plan.Diarization:         nil, // any language
		plan.Encryption:          nil,
		plan.EntityExtraction:    english,
		plan.KnowledgeDiscovery:  english,
		plan.Metrics:             nil,
		plan.NumberFormatting:    english,
		plan.ProfanityFiltering:  english,
		plan.AudioTranscode:      nil,
		plan.Callbacks:           nil,
		plan.Detectors:           nil,     // outside English only written figures, with a warning
		plan.Redaction:           english, // words that are not understood cannot be hidden
		plan.SpeakerSentiments:   nil,     // outside English no findings, with a warning
		plan.Spotting:            nil,
		plan.VerbNounPairs:       english,
		plan.VoiceFeatures:       {"en", "es"},
	}
}

// Formatter makes recognised words readable. It is safe for concurrent use.
type Formatter struct {
	punctuation *punctuation.Request
}

// NewFormatter loads the models of a Formatter.
func NewFormatter() (*Formatter, error) {
	model, err := punctuation.Load()
	return &Formatter{model}, err
}

// Format formats a transcript as the plan asks: punctuation and capitals where neither the engine nor the supplier of
// the words has set marks, then numbers as figures. A number ends at the end of a sentence.
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
// own. Without punctuation, it returns only the bare word.
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
		return append([]transcript.Word{word}, words...) // only marks are written for it
	}
	return words[first:]
}
