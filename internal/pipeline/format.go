package pipeline

import (
	"parley/internal/formatting"
	"parley/internal/plan"
	"parley/internal/transcript"
)

// Built says which features of a configuration this pipeline has.
func Built() plan.Built {
	english := plan.Languages{"en"}
	return plan.Built{
		plan.NumberFormatting:   english,
		plan.ProfanityFiltering: english,
	}
}

// Format makes recognised words readable, as far as the plan asks for it.
func Format(t *transcript.Transcript, p *plan.Plan) *transcript.Transcript {
	return formatting.Apply(t, &formatting.Request{Numbers: p.Formatting.Numbers, Profanity: p.Formatting.Profanity})
}
