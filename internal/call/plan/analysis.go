package plan

import (
	"slices"

	"parley/internal/analysis/talk"
	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
)

// metricGroups are the groups of conversation metrics in documented order.
var metricGroups = talk.GroupNames()

// analyses resolves the sections that are computed from the transcript.
func (r *resolver) analyses(p *Plan) {
	if r.wants(KnowledgeDiscovery, fault.CodeKnowledgeLanguage, "knowledge", "enableDiscovery") {
		p.Knowledge = &Knowledge{}
	}
	if r.wants(VerbNounPairs, fault.CodeFeature, "conversation", "verbNounPairsEnabled") {
		p.Conversation = &Conversation{}
	}
	if r.wants(SpeakerSentiments, fault.CodeFeature, "speakerSentiments") {
		p.Sentiments = &Sentiments{}
	}
	if r.wants(EntityExtraction, fault.CodeFeature, "entity", "enableEntityExtraction") {
		p.Entities = &Entities{}
	}
	p.Metrics = r.metrics()
	p.Spotting = r.spotting()
	p.Categories = r.categories()
}

// metrics returns the requested groups, without duplicates.
func (r *resolver) metrics() []string {
	list := r.root.Get("metrics")
	asked := map[string]bool{}
	for _, v := range list.Items() {
		name := v.Get("metricGroupName")
		if name == nil && v.Kind() == jsondoc.Object {
			r.refuse(v, fault.CodeConfiguration, "has no metricGroupName; use one of %s", fault.List(metricGroups))
		}
		asked[schema.At("metrics", "metricGroupName").Canonical(name.Text())] = true
	}
	if len(asked) == 0 || !r.offers(Metrics, list, fault.CodeFeature) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(metricGroups), func(name string) bool { return !asked[name] })
}

func (r *resolver) spotting() []Group {
	list := r.root.Get("spotting", "groups")
	for _, v := range list.Items() {
		if v.Kind() == jsondoc.Object && v.Get("groupName") == nil {
			r.refuse(v, fault.CodeGroupUnknown, "has no groupName; add one or remove the element")
		}
	}
	names := distinct(list, "groupName")
	if names == nil {
		return nil
	}
	offered := r.offers(Spotting, list, fault.CodeFeature)
	if !offered && r.env.Accepted {
		return nil // a configuration accepted before groups could be saved names none
	}
	groups := r.groups(names)
	if !offered {
		return nil
	}
	return groups
}

// groups returns the keyword groups with the given names, which must exist and have keywords.
func (r *resolver) groups(names []*jsondoc.Value) []Group {
	var groups []Group
	for _, v := range names {
		at := slices.IndexFunc(r.env.Definitions.Groups, func(g Group) bool { return g.Name == v.Text() })
		switch {
		case at < 0:
			r.refuse(v, fault.CodeGroupUnknown,
				"there is no keyword group %q; save it first under /v3/definition/spotting/groups", clip(v.Text()))
		case len(r.env.Definitions.Groups[at].Keywords) == 0:
			r.refuse(v, fault.CodeGroupEmpty, "the keyword group %q is empty; add keywords or leave it out",
				clip(v.Text()))
		default:
			groups = append(groups, r.env.Definitions.Groups[at])
		}
	}
	return groups
}

// categories returns the requested categories in the order in which they were saved, without duplicates.
func (r *resolver) categories() []Category {
	list := r.root.Get("categories")
	all := false
	for _, v := range list.Items() {
		every, name := v.Get("allCategories"), v.Get("categoryName")
		if v.Kind() == jsondoc.Object && every.Bool() == (name != nil) {
			r.refuse(v, fault.CodeConfiguration, "exactly one of allCategories: true and categoryName is required")
		}
		all = all || every.Bool()
	}
	names := distinct(list, "categoryName")
	if !all && names == nil || !r.offers(Categories, list, fault.CodeFeature) {
		return nil
	}
	return r.chosen(all, names)
}

func (r *resolver) chosen(all bool, names []*jsondoc.Value) []Category {
	asked := map[string]*jsondoc.Value{}
	for _, v := range names {
		asked[v.Text()] = v
	}
	chosen := []Category{}
	for _, c := range r.env.Definitions.Categories {
		if all || asked[c.Name] != nil {
			chosen = append(chosen, c)
		}
		delete(asked, c.Name)
	}
	for _, v := range names {
		if asked[v.Text()] != nil {
			r.refuse(v, fault.CodeDefinition, "there is no category %q; save it first under /v3/definition/categories",
				clip(v.Text()))
		}
	}
	return chosen
}

// distinct returns the named member of each item of a list, without duplicate texts.
func distinct(list *jsondoc.Value, name string) []*jsondoc.Value {
	var found []*jsondoc.Value
	seen := map[string]bool{}
	for _, item := range list.Items() {
		v := item.Get(name)
		if v.Kind() == jsondoc.String && !seen[v.Text()] {
			seen[v.Text()] = true
			found = append(found, v)
		}
	}
	return found
}
