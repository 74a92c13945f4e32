package api

import (
	"context"

	"parley/internal/call/codec"
	"parley/internal/call/definition"
	"parley/internal/call/plan"
	"parley/internal/call/wire"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/list"
)

// groups are the keyword groups of accounts.
var groups = collection[definition.Group]{
	kind:    definition.KeywordGroup,
	param:   "groupName",
	parse:   definition.ParseGroup,
	encode:  (*codec.Codec).EncodeGroup,
	decode:  (*codec.Codec).DecodeGroup,
	allowed: func(who caller, _ definition.Group) error { return who.maySave("a keyword group") },
	one:     func(g definition.Group, d definition.Definition) any { return newGroup(g, d) },
	list:    func(all []record[definition.Group]) any { return wire.NewGroups(each(all, newGroup)...) },
}

func newGroup(g definition.Group, _ definition.Definition) wire.Group {
	return wire.NewGroup(g.Name, g.Keywords)
}

// referredGroups loads the existing keyword groups among the given names.
func referredGroups(ctx context.Context, s *Server, tx *store.Tx, owner account.ID,
	names []string) ([]plan.Group, error) {
	saved, err := referred(ctx, s, tx, groups, owner, names)
	return list.Map(saved, func(g definition.Group) plan.Group { return plan.Group(g) }), err
}
