package query

// Draft is a parsed text: its statement, the names that the statement refers to, and the mistakes found without
// knowing which names exist.
type Draft struct {
	source    []rune
	tokens    []token
	statement *Statement
	marks     []mark // of the conditions and words, each after its parts
	names     []reference
	columns   *columns // of a SELECT
	mistakes  mistakes
}

// reference is a name in a space, such as a metric. Whether it exists depends on the account.
type reference struct {
	Field         // shares its Path with the statement
	space, at int // character positions of the space and of the name; at is -1 unless the path is a single name
}

// KnownNames lists the names that a statement may use. A nil list allows every name.
type KnownNames struct {
	Metrics     []string
	Categories  []string
	Groups      []string // of spotting
	Classifiers []string // of prediction
	// Definition reports that the text defines a category. Such a text must not refer to categories.
	Definition bool
}

func (k *KnownNames) names(s Space) []string {
	switch {
	case k == nil:
		return nil
	case s == Metrics:
		return k.Metrics
	case s == Categories:
		return k.Categories
	case s == Spotting:
		return k.Groups
	case s == Prediction:
		return k.Classifiers
	}
	return nil
}

// Names returns the names of a space that the text refers to, as written in it.
func (t *Draft) Names(s Space) (names []string) {
	for _, r := range t.names {
		if r.Space == s && r.at >= 0 {
			names = append(names, r.Path[0])
		}
	}
	return names
}

// Check compares the names of the text with the known ones and returns the statement with each name in its known
// spelling. The error is an *Error with all mistakes, including unknown names. Check must not be called concurrently.
func (t *Draft) Check(known *KnownNames) (*Statement, error) {
	var found mistakes
	for i := 0; i < len(t.names) && !found.full(); i++ {
		found.check(t.source, t.names[i], known)
	}
	if len(found) == 0 && t.columns != nil && t.columns.sound {
		t.columns.check(func(at int, format string, args ...any) { found.report(t.source, at, format, args...) })
	}
	if err := append(found, t.mistakes...).err(t.source, t.tokens); err != nil {
		return nil, err
	}
	return t.statement, nil
}

// CheckCondition is Check for statements of which only the condition is used. It is an error if there is none.
func (t *Draft) CheckCondition(known *KnownNames) (*Statement, error) {
	s, err := t.Check(known)
	switch {
	case err != nil:
		return nil, err
	case s.Alter != nil:
		return nil, mistaken(t.source, "expected a condition, found ALTER TABLE")
	case s.Select.Where == nil:
		return nil, mistaken(t.source, "expected a condition; write WHERE and a condition, or WHERE * for every call")
	}
	return s, nil
}

// check checks a name and corrects its case.
func (m *mistakes) check(source []rune, r reference, known *KnownNames) {
	if r.Space == Categories && known != nil && known.Definition {
		m.report(source, r.space, "the definition of a category cannot refer to categories")
		return
	}
	names := known.names(r.Space)
	if r.at < 0 || names == nil {
		return
	}
	right, ok := canonical(names, r.Path[0])
	if !ok {
		near := suggestion(r.Path[0], names)
		if near.put != "" {
			near.put = identifier(near.put, true)
		}
		m.report(source, r.at, "%s was not found in %s%s", quoted(r.Path[0]), spaceNames[r.Space], near)
		return
	}
	r.Path[0] = right
}
