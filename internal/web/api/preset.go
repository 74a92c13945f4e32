package api

import (
	"context"
	"net/url"

	"parley/internal/call/codec"
	"parley/internal/call/definition"
	"parley/internal/call/wire"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
)

// presets are the saved upload configurations of accounts.
var presets = collection[definition.Preset]{
	kind:   definition.PresetKind,
	param:  "presetName",
	parse:  definition.ParsePreset,
	encode: (*codec.Codec).EncodePreset,
	decode: (*codec.Codec).DecodePreset,
	one:    func(p definition.Preset, d definition.Definition) any { return wire.NewPreset(p, d) },
	list:   func(all []record[definition.Preset]) any { return wire.NewPresets(each(all, wire.NewPreset)...) },
	check:  checkPreset,
	allowed: func(who caller, p definition.Preset) error {
		if who.reads() || !p.HasCallbacks() {
			return nil
		}
		return needsRead("a preset with publish.callbacks")
	},
	seen: func(who caller, p definition.Preset) definition.Preset {
		if who.reads() {
			return p
		}
		return p.WithAddresses(hiddenAddress)
	},
}

// hiddenAddress replaces the address of a callback for callers who may not see it: its path and its query may contain
// secrets. Uploads refuse it, so that nothing is sent to another address than the one that was saved.
func hiddenAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "hidden:"
	}
	return "hidden:" + u.Host
}

// checkPreset checks the configuration of a preset as uploads check theirs. It is valid if it is for a recording alone,
// or for one that comes with a transcript or a text; otherwise, the problems are those of a recording alone.
func checkPreset(ctx context.Context, s *Server, owner account.ID, p definition.Preset) error {
	if p.Configuration == nil {
		return nil
	}
	env := s.Environment()
	if err := s.retention(ctx, owner, &env); err != nil {
		return err
	}
	var first error
	for _, given := range []struct{ words, text bool }{{}, {words: true}, {text: true}} {
		env.WordsGiven, env.TextGiven = given.words, given.text
		_, _, err := s.resolveFor(ctx, owner, p.Configuration, env)
		if err == nil || !fault.Is(err, fault.Invalid) {
			return err
		}
		if first == nil {
			first = err
		}
	}
	return fault.All(fault.Invalid, jsondoc.Below("/configuration", fault.ProblemsOf(first)))
}
