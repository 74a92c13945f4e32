package api

import (
	"context"

	"parley/internal/analysis/talk"
	"parley/internal/call/codec"
	"parley/internal/call/definition"
	"parley/internal/call/plan"
	"parley/internal/call/wire"
	vbql "parley/internal/query"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/list"
)

// categories are the categories of accounts.
var categories = collection[definition.Category]{
	kind:  definition.CategoryKind,
	param: "categoryName",
	parse: func(name string, sent []byte) (definition.Category, error) {
		return definition.ParseCategory(name, sent, vbql.KnownNames{Metrics: talk.Names()})
	},
	encode: (*codec.Codec).EncodeCategory,
	decode: (*codec.Codec).DecodeCategory,
	one:    func(c definition.Category, d definition.Definition) any { return wire.NewCategory(c, d) },
	list: func(all []record[definition.Category]) any {
		return wire.NewCategoryNames(each(all, content)...)
	},
	expand: func(all []record[definition.Category]) any {
		return wire.NewCategories(each(all, wire.NewCategory)...)
	},
	allowed: func(who caller, c definition.Category) error {
		condition, err := vbql.ParseCondition(c.Query, nil)
		if err != nil {
			return queryFault(err)
		}
		if part := judgesContents(condition); part != nil {
			return who.maySave("the condition " + shortened(part))
		}
		return nil
	},
	claim: func(tx *store.Tx, owner account.ID, name string, c *definition.Category) error {
		version := ""
		if c != nil {
			version = c.Version
		}
		return tx.ClaimCategoryVersion(owner, name, version)
	},
}

// referredCategories loads the existing categories among those that a configuration names, or all categories, by name.
func referredCategories(ctx context.Context, s *Server, tx *store.Tx, owner account.ID,
	refs plan.References) (_ []plan.Category, err error) {
	var all []definition.Category
	if refs.AllCategories {
		saved, err := tx.Definitions(owner, categories.kind)
		if err != nil {
			return nil, err
		}
		read, err := categories.readAll(ctx, s, saved)
		if err != nil {
			return nil, err
		}
		all = each(read, content)
	} else if all, err = referred(ctx, s, tx, categories, owner, refs.Categories); err != nil {
		return nil, err
	}
	return list.Map(all, func(c definition.Category) plan.Category {
		return plan.Category{Name: c.Name, Query: c.Query}
	}), nil
}
