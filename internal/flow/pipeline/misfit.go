package pipeline

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/internal/call/plan"
	"parley/internal/words/fault"
	"parley/internal/words/transcript"
)

// rounding is how far a given word may end after the recording without a warning: services round times, and decoders
// treat the last frame differently.
const rounding = 250 * time.Millisecond

// unplaced warns when speakers that the plan describes are missing from a given transcript, after cast, while the
// transcript has other speakers: nothing is attributed to the missing ones then.
func unplaced(speakers []transcript.Speaker, in plan.Ingest) []fault.Problem {
	if in.Channels == nil && in.Parties == nil {
		return nil
	}
	described := parties(in)
	placed := 0
	for _, d := range described {
		if slices.ContainsFunc(speakers, func(s transcript.Speaker) bool { return is(s, d) }) {
			placed++
		}
	}
	if placed == len(described) || placed == len(speakers) {
		return nil
	}
	return []fault.Problem{{Code: fault.CodeIgnored, Message: fmt.Sprintf(
		"/ingest/%s: %d of the %d speakers described here are not in the given transcript, by name or role, so their "+
			"metrics are 0; use the names described here in the transcript, or describe the speakers that it has",
		in.Key, len(described)-placed, len(described))}}
}

// is reports whether a speaker of a given transcript is one that the plan describes. cast has set the speaker's channel
// if the description has one.
func is(s, described transcript.Speaker) bool {
	if described.Channel != transcript.NoChannel {
		return s.Channel == described.Channel
	}
	return strings.EqualFold(s.Name, described.Name) || s.Role == described.Role && s.Role != transcript.NoRole
}
