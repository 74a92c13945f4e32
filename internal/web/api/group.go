package api

import (
	"context"

	"parley/internal/call/codec"
	"parley/internal/call/definition"
	"parley/internal/call/plan"
	"parley/internal/call/wire"
	"parley/internal/storage/store"
	"parley/internal/words/account"
)

// groups are the keyword groups of accounts.
var groups = collection[definition.Group]{
	kind:    definition.KeywordGroup,
	param:   "groupName",
	parse:   definition.ParseGroup,
	encode:  (*codec.Codec).EncodeGroup,
	decode:  (*codec.Codec).DecodeGroup,
	allowed: func(who caller, _ definition.Group) error { return who.maySave("a keyword group") },
	one:     func(g definition.Group) any { return wire.NewGroup(g.Name, g.Keywords) },
	list: func(all []definition.Group) any {
		answer := make([]wire.Group, len(all))
		for i, g := range all {
			answer[i] = wire.NewGroup(g.Name, g.Keywords)
		}
		return wire.NewGroups(answer...)
	},
}

// referredGroups loads the existing keyword groups among the given names.
func referredGroups(ctx context.Context, s *Server, tx *store.Tx, owner account.ID,
	names []string) ([]plan.Group, error) {
	saved, err := referred(ctx, s, tx, groups, owner, names)
	var found []plan.Group
	for _, g := range saved {
		found = append(found, plan.Group(g))
	}
	return found, err
}
