package api

import (
	"parley/internal/analysis/talk"
	"parley/internal/call/codec"
	"parley/internal/call/definition"
	"parley/internal/call/wire"
	vbql "parley/internal/query"
	"parley/internal/storage/store"
	"parley/internal/words/account"
)

// dashboards are the dashboards of accounts, and those that are built in.
var dashboards = collection[definition.Dashboard]{
	kind:  definition.Dashboards,
	param: "dashboardName",
	parse: func(name string, sent []byte) (definition.Dashboard, error) {
		return definition.ParseDashboard(name, sent, vbql.KnownNames{Metrics: talk.Names()})
	},
	encode: (*codec.Codec).EncodeDashboard,
	decode: (*codec.Codec).DecodeDashboard,
	one:    func(b definition.Dashboard, d definition.Definition) any { return wire.NewDashboard(b, d) },
	list: func(all []record[definition.Dashboard]) any {
		return wire.NewDashboards(each(all, wire.NewDashboard)...)
	},
	builtIn: &builtIn[definition.Dashboard]{
		all: func(tx *store.Tx, owner account.ID) ([]definition.Dashboard, error) {
			categories, err := tx.DefinitionNames(owner, definition.CategoryKind)
			return definition.BuiltInDashboards(categories), err
		},
		named:  definition.IsBuiltIn,
		name:   func(d definition.Dashboard) string { return d.Name },
		change: definition.ChangeOfBuiltIn,
	},
}
