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
)

// savedCategory is a category and the time when it was saved.
type savedCategory struct {
	definition.Category
	saved definition.Definition
}

// categories are the categories of accounts.
var categories = collection[savedCategory]{
	kind:  definition.CategoryKind,
	param: "categoryName",
	parse: func(name string, sent []byte) (savedCategory, error) {
		c, err := definition.ParseCategory(name, sent, vbql.KnownNames{Metrics: talk.Names()})
		return savedCategory{Category: c}, err
	},
	encode: func(c *codec.Codec, k savedCategory) []byte { return c.EncodeCategory(k.Category) },
	decode: func(c *codec.Codec, data []byte) (savedCategory, error) {
		k, err := c.DecodeCategory(data)
		return savedCategory{Category: k}, err
	},
	one: func(k savedCategory) any { return wire.NewCategory(k.Category, k.saved) },
	list: func(all []savedCategory) any {
		answer := make([]definition.Category, len(all))
		for i, k := range all {
			answer[i] = k.Category
		}
		return wire.NewCategoryNames(answer...)
	},
	expand: func(all []savedCategory) any {
		answer := make([]wire.Category, len(all))
		for i, k := range all {
			answer[i] = wire.NewCategory(k.Category, k.saved)
		}
		return wire.NewCategories(answer...)
	},
	allowed: func(who caller, k savedCategory) error {
		condition, err := vbql.ParseCondition(k.Query, nil)
		if err != nil {
			return queryFault(err)
		}
		if part := judgesContents(condition); part != nil {
			return who.maySave("the condition " + shortened(part))
		}
		return nil
	},
	stamped: func(k savedCategory, d definition.Definition) savedCategory {
		k.saved = d
		return k
	},
	claim: func(tx *store.Tx, owner account.ID, name string, k *savedCategory) error {
		version := ""
		if k != nil {
			version = k.Version
		}
		return tx.ClaimCategoryVersion(owner, name, version)
	},
}

// referredCategories loads the existing categories among those that a configuration names, or all categories, by name.
func referredCategories(ctx context.Context, s *Server, tx *store.Tx, owner account.ID,
	refs plan.References) (found []plan.Category, err error) {
	var all []savedCategory
	if !refs.AllCategories {
		all, err = referred(ctx, s, tx, categories, owner, refs.Categories)
	} else {
		var saved []definition.Definition
		if saved, err = tx.Definitions(owner, definition.CategoryKind); err != nil {
			return nil, err
		}
		for _, d := range saved {
			k, err := categories.read(ctx, s, d)
			if err != nil {
				return nil, err
			}
			all = append(all, k)
		}
	}
	for _, k := range all {
		found = append(found, plan.Category{Name: k.Name, Query: k.Query})
	}
	return found, err
}
