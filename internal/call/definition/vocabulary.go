package definition

import (
	"bytes"
	"strings"

	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
	"parley/internal/words/vocabulary"
)

// vocabularyCodes are the problem codes for the content of a saved vocabulary.
var vocabularyCodes = vocabulary.Codes{
	TermType: fault.CodeSavedTerm, ScriptType: fault.CodeSavedScript,
	NoTerm: fault.CodeSavedTerm, Term: fault.CodeSavedTerm, Weight: fault.CodeSavedTerm,
	Terms: fault.CodeSavedTerms, Duplicate: fault.CodeSavedDuplicate,
	Script: fault.CodeSavedScript, Scripts: fault.CodeSavedScript, Words: fault.CodeSavedScript,
}

// vocabularyShape lists every key of a saved vocabulary.
var vocabularyShape = jsondoc.Fields(append([]jsondoc.Field{
	{Name: "vocabularyName", Shape: jsondoc.Text().Coded(fault.CodeSavedName)},
	{Name: "vocabularyType", Shape: jsondoc.Text().Coded(fault.CodeSavedType)},
}, vocabularyCodes.Fields()...)...)

// ParseVocabulary parses a vocabulary to be saved under a name; the body may repeat the name. The error is a fault of
// kind Invalid with all problems.
func ParseVocabulary(name string, sent []byte) (vocabulary.Vocabulary, error) {
	c := &checker{}
	root, err := vocabularyBody(sent)
	if err != nil {
		c.checkName(name, nil, fault.CodeSavedName)
		return vocabulary.Vocabulary{}, fault.All(fault.Invalid, append(c.problems, fault.ProblemsOf(err)...))
	}
	c.checkName(name, root.Get("vocabularyName"), fault.CodeSavedName)
	c.problems = append(c.problems, jsondoc.Check(root, vocabularyShape, jsondoc.Codes{
		Type: fault.CodeSaved, Unknown: fault.CodeUnknownProperty, Duplicate: fault.CodeDuplicateProperty,
	})...)
	v := c.vocabulary(root)
	v.Name = name
	if err := fault.All(fault.Invalid, c.problems); err != nil {
		return vocabulary.Vocabulary{}, err
	}
	return v, nil
}

// vocabularyBody parses the body, which must be a non-empty object.
func vocabularyBody(sent []byte) (*jsondoc.Value, error) {
	const remedy = `send an object such as {"terms":[{"term":"Contoso"}]}`
	if len(bytes.TrimSpace(sent)) == 0 {
		return nil, fault.New(fault.Invalid, fault.CodeSaved, "the request body is empty; "+remedy)
	}
	root, err := jsondoc.Parse(sent, jsondoc.Limits{Bytes: MaxBytes, Depth: 16, Values: 200_000})
	if err != nil {
		return nil, fault.New(fault.Invalid, fault.CodeSaved, "the vocabulary is invalid JSON: %w", err)
	}
	if root.Kind() != jsondoc.Object || len(root.Members()) == 0 {
		return nil, fault.New(fault.Invalid, fault.CodeSaved, "the vocabulary is %s without content; "+remedy,
			root.Kind())
	}
	return root, nil
}

// vocabulary reads type and content.
func (c *checker) vocabulary(root *jsondoc.Value) vocabulary.Vocabulary {
	reader := vocabulary.Reader{Codes: vocabularyCodes, Refuse: c.refuse}
	terms, scripts := root.Get("terms"), root.Get("scripts")
	v := vocabulary.Vocabulary{
		Kind:  strings.TrimSpace(root.Get("vocabularyType").Text()),
		Terms: reader.Terms(terms), Scripts: reader.Scripts(scripts),
	}
	reader.Limit(root, v)
	switch {
	case terms != nil && scripts != nil:
		c.refuse(root, fault.CodeSavedBoth, "contains both terms and scripts; save them as two vocabularies")
	case len(terms.Items()) == 0 && len(scripts.Items()) == 0:
		c.refuse(root, fault.CodeSavedNeither, "contains neither terms nor scripts; add one of them")
	case strings.EqualFold(v.Kind, "scripts") && scripts == nil || strings.EqualFold(v.Kind, "terms") && terms == nil:
		c.refuse(root.Get("vocabularyType"), fault.CodeSavedType,
			"%q does not match the content of the vocabulary; correct it to terms or scripts, or leave it out", clip(v.Kind))
	}
	return v
}
