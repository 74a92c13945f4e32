package api

import (
	"parley/internal/call/wire"
	"parley/internal/index/columnar"
	vbql "parley/internal/query"
	"parley/internal/words/list"
)

// defaultListed is how many words, or values of a field, are listed.
const defaultListed = 20

// readListed parses the parameters prefix and limit.
func readListed(r *request) (prefix string, limit int, err error) {
	limit = defaultListed
	if n, err := readCount("limit", r.query.Get("limit")); err != nil {
		return "", 0, err
	} else if n != nil {
		limit = *n
	}
	if limit < 1 || limit > columnar.MaxValues {
		return "", 0, parameterFault("limit %d is out of range; use a number from 1 to %d", limit, columnar.MaxValues)
	}
	return r.query.Get("prefix"), limit, nil
}

// getWords lists the most frequent words with a prefix.
func (s *Server) getWords(r *request) (any, error) {
	prefix, limit, err := readListed(r)
	if err != nil {
		return nil, err
	}
	if !r.who.reads() {
		return nil, needsRead("a list of words")
	}
	words, left, err := s.Analytics.Words(r.Context(), r.who.Account.ID, prefix, limit)
	if err != nil {
		return nil, err
	}
	counts := list.Map(words, func(w columnar.Word) wire.WordCount {
		return wire.WordCount{Word: w.Text, Calls: w.Calls}
	})
	return sized(r.Context(), wire.NewWords(counts, wire.NewCoverage(left.Total(), left.Warning())))
}

// getValues lists the most frequent values of a field.
func (s *Server) getValues(r *request) (any, error) {
	prefix, limit, err := readListed(r)
	if err != nil {
		return nil, err
	}
	if r.query.Get("field") == "" {
		return nil, parameterFault("query parameter field is missing; give the name of a field, such as metadata:team")
	}
	f, err := s.readField(r, "field", r.query.Get("field"))
	if err != nil {
		return nil, err
	}
	values, left, err := s.Analytics.FieldValues(r.Context(), r.who.Account.ID, f, prefix, limit)
	if err != nil {
		return nil, err
	}
	return sized(r.Context(), wire.NewFieldValues(newFacet(values), wire.NewCoverage(left.Total(), left.Warning())))
}

// getDistributions answers how the metrics of calls are distributed.
func (s *Server) getDistributions(r *request) (any, error) {
	var where vbql.Condition
	if text := r.query.Get("where"); text != "" {
		var err error
		if where, err = s.readWhere(r, text); err != nil {
			return nil, err
		}
	}
	if err := r.who.mayAsk(where); err != nil {
		return nil, err
	}
	found, err := s.Analytics.Distributions(r.Context(), r.who.Account.ID, where)
	if err != nil {
		return nil, err
	}
	return work(r.Context(), func() (any, error) { return sized(r.Context(), newDistributions(found)) })
}

func newDistributions(found *columnar.Distributions) wire.Distributions {
	all := list.Map(found.All, func(d columnar.Distribution) wire.Distribution {
		return wire.NewDistribution(d.Field.String(), d.Calls, d.Quantiles)
	})
	return wire.NewDistributions(found.Calls, all, found.Took,
		wire.NewCoverage(found.LeftOut.Total(), found.LeftOut.Warning()))
}
