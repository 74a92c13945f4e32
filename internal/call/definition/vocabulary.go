package definition

import (
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

// vocabularyFormat lists every key of a saved vocabulary.
var vocabularyFormat = format{
	what: "vocabulary", example: `{"terms":[{"term":"Contoso"}]}`, filled: true,
	values: 200_000, code: fault.CodeSaved, nameKey: "vocabularyName", nameCode: fault.CodeSavedName,
	shape: jsondoc.Fields(append([]jsondoc.Field{
		{Name: "vocabularyName", Shape: jsondoc.Text().Coded(fault.CodeSavedName)},
		{Name: "vocabularyType", Shape: jsondoc.Text().Coded(fault.CodeSavedType)},
	}, vocabularyCodes.Fields()...)...),
}

// ParseVocabulary parses a vocabulary to be saved under a name; the body may repeat the name. The error is a fault of
// kind Invalid with all problems.
func ParseVocabulary(name string, sent []byte) (vocabulary.Vocabulary, error) {
	c := &checker{}
	root := c.parse(vocabularyFormat, name, sent)
	if root == nil {
		return checked(vocabulary.Vocabulary{}, c)
	}
	v := c.vocabulary(root)
	v.Name = name
	return checked(v, c)
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
			"%q does not match the content of the vocabulary; correct it to terms or scripts, or leave it out",
			clip(v.Kind))
	}
	return v
}
