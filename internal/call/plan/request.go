package plan

import (
	"cmp"

	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
)

// Version is the version of the configuration format that Parse reads. It is stored with configurations and increases
// when the meaning of a key changes.
const Version = 1

// MaxBytes is the maximum size of a configuration.
const MaxBytes = 1 << 20

// Paths lists every key of the configuration as a dotted path, lists marked by [], such as
// publish.callbacks[].url.
func Paths() []string { return schema.Paths() }

// Request is a configuration as sent.
type Request struct {
	root     *jsondoc.Value
	problems []fault.Problem
}

// Parse reads a configuration. No bytes, null and {} all select the defaults. Parse returns an error only for invalid
// JSON; Resolve reports all other problems together.
func Parse(raw []byte) (*Request, error) {
	if len(raw) == 0 {
		return &Request{}, nil
	}
	root, err := jsondoc.Parse(raw, jsondoc.Limits{Bytes: MaxBytes, Depth: 32, Values: 200_000})
	if err != nil {
		return nil, fault.New(fault.Invalid, fault.CodeConfiguration, "the configuration is invalid JSON: %w", err)
	}
	problems := jsondoc.Check(root, schema, jsondoc.Codes{
		Type:      fault.CodeConfiguration,
		Unknown:   fault.CodeUnknownProperty,
		Duplicate: fault.CodeDuplicateProperty,
	})
	return &Request{root: root, problems: problems}, nil
}

// Check returns the problems of a configuration that do not depend on the server: unknown keys, duplicate keys, values
// of a wrong type. Resolve reports these, too.
func (r *Request) Check() error { return fault.All(fault.Invalid, r.problems) }

// References lists the saved definitions that a configuration refers to, without duplicates.
type References struct {
	Vocabularies  []string // names
	Groups        []string // names
	Categories    []string // names
	AllCategories bool
	Classifiers   []string // ids or names
	Detectors     []string // ids or names
	Keys          []string // ids
}

// References returns the definitions that Resolve needs in Definitions.
func (r *Request) References() References {
	refs := References{
		Vocabularies: texts(r.root.Get("vocabularies"), "vocabularyName"),
		Groups:       texts(r.root.Get("spotting", "groups"), "groupName"),
		Categories:   texts(r.root.Get("categories"), "categoryName"),
		Classifiers:  texts(r.root.Get("prediction", "classifiers"), "classifierId", "classifierName"),
		Detectors:    texts(r.root.Get("prediction", "detectors"), "detectorId", "detectorName"),
	}
	if id := r.root.Get("encryption", "publicKeyId").Text(); id != "" {
		refs.Keys = []string{id}
	}
	for _, c := range r.root.Get("categories").Items() {
		refs.AllCategories = refs.AllCategories || c.Get("allCategories").Bool()
	}
	return refs
}

// texts returns, for each item of a list, the first of the named members that is a text; without duplicates.
func texts(list *jsondoc.Value, names ...string) []string {
	var found []string
	seen := map[string]bool{"": true}
	for _, item := range list.Items() {
		text := ""
		for _, name := range names {
			text = cmp.Or(text, item.Get(name).Text())
		}
		if !seen[text] {
			found = append(found, text)
		}
		seen[text] = true
	}
	return found
}
