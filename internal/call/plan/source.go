package plan

import (
	"parley/internal/words/fault"
)

// Source is the stored form of a plan, from which a worker compiles it. The plan itself is never stored: after an
// upgrade, the worker must see the original request, not an older program's interpretation of it.
type Source struct {
	Version       int    // of the configuration format
	Configuration []byte // as sent
	Definitions   Definitions
	Built         []Feature // in effect at upload; features skipped with a warning stay skipped
	WordsGiven    bool
	TextGiven     bool
	Published     *Published
	Kept          bool
}

// NewSource returns the Source of a configuration that Resolve accepted in env.
func NewSource(configuration []byte, env Environment) Source {
	return Source{
		Version:       Version,
		Configuration: configuration,
		Definitions:   env.Definitions,
		Built:         env.Built.Features(),
		WordsGiven:    env.WordsGiven,
		TextGiven:     env.TextGiven,
		Published:     env.Published,
		Kept:          env.Kept,
	}
}

// Compile resolves the plan again, with the engines and defaults of env, but with the definitions and features as of
// the upload. Callback addresses were accepted at upload and are not validated again. The error is of kind Unavailable
// for a source written by a newer program.
func (s Source) Compile(env Environment) (*Plan, error) {
	if s.Version > Version {
		return nil, fault.New(fault.Unavailable, fault.CodeUnavailable,
			"configuration format %d is newer than this program, which reads only up to %d; a newer worker can process it",
			s.Version, Version)
	}
	request, err := Parse(s.Configuration)
	if err != nil {
		return nil, err
	}
	env.Definitions, env.Accepted = s.Definitions, true
	env.Built = env.Built.only(s.Built)
	env.WordsGiven, env.TextGiven = s.WordsGiven, s.TextGiven
	env.Published, env.Kept = s.Published, s.Kept
	env.Callbacks = CallbackRules{AllowHTTP: true}
	return Resolve(request, env)
}
