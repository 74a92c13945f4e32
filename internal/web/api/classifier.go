package api

import (
	"context"
	"strconv"
	"strings"

	"parley/internal/analysis/classify"
	"parley/internal/call/definition"
	"parley/internal/call/plan"
	"parley/internal/call/wire"
	"parley/internal/flow/pipeline"
	"parley/internal/host/memory"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// ownClassifiers describes the classifiers that every account has.
func (s *Server) ownClassifiers() []classify.Description {
	return append(classify.BuiltIn(), s.Classifiers...)
}

// listClassifiers answers with all versions of all classifiers: first those of the account, then those that all
// accounts have.
func (s *Server) listClassifiers(r *request) (any, error) {
	saved, err := store.Read(r.Context(), s.Store, func(tx *store.Tx) ([]store.StoredClassifier, error) {
		return tx.Classifiers(r.who.Account.ID)
	})
	if err != nil {
		return nil, err
	}
	all := []wire.ClassifierDefinition{}
	for _, c := range saved {
		shown, err := s.showClassifier(r.Context(), c)
		if err != nil {
			return nil, err
		}
		all = append(all, shown)
	}
	for _, d := range s.ownClassifiers() {
		all = append(all, wire.NewBuiltInClassifier(d))
	}
	return wire.NewClassifierDefinitions(all), nil
}

func (s *Server) showClassifier(ctx context.Context, c store.StoredClassifier) (wire.ClassifierDefinition, error) {
	err := s.Codec.DecodeCard(c.Card, &c.Classifier)
	if err == nil {
		err = memory.Take(ctx, 2*memory.Size(c.Classifier))
	}
	return wire.NewClassifierDefinition(c.Classifier), err
}

// getClassifier answers with one version of a classifier, given by id or name: the newest, unless the request names
// one.
func (s *Server) getClassifier(r *request) (any, error) {
	which, version := r.PathValue("classifierId"), r.query.Get("version")
	versions, err := store.Read(r.Context(), s.Store, func(tx *store.Tx) ([]store.StoredClassifier, error) {
		return tx.Classifier(r.who.Account.ID, which)
	})
	if fault.Is(err, fault.NotFound) {
		for _, d := range s.ownClassifiers() {
			if (strings.EqualFold(which, d.ID) || strings.EqualFold(which, d.Name)) &&
				(version == "" || version == d.Version) {
				return wire.NewBuiltInClassifier(d), nil
			}
		}
	}
	if err != nil {
		return nil, err
	}
	for _, c := range versions {
		if version == "" || version == strconv.Itoa(c.Version) {
			return s.showClassifier(r.Context(), c)
		}
	}
	return nil, fault.New(fault.NotFound, fault.CodeDefinition, "the classifier has no version %q; the newest is %d",
		version, versions[0].Version)
}

// deleteClassifier deletes a classifier, or one version of it. Recordings already waiting to be processed with it keep
// it.
func (s *Server) deleteClassifier(r *request) error {
	version := 0
	if text := r.query.Get("version"); text != "" {
		var err error
		if version, err = strconv.Atoi(text); err != nil || version < 1 {
			return parameterFault("version %q cannot be deleted; give a number such as 2, or leave version out to delete "+
				"all versions", text)
		}
	}
	return s.Store.Update(r.Context(), func(tx *store.Tx) error {
		return tx.DeleteClassifier(r.who.Account.ID, r.PathValue("classifierId"), version)
	})
}

// trainClassifier accepts a training set and answers with the version that is being trained from it.
func (s *Server) trainClassifier(r *request) (any, error) {
	if err := r.who.maySave("a classifier"); err != nil {
		return nil, err
	}
	sent, err := s.readDocument(r, definition.MaxTrainingBytes)
	if err != nil {
		return nil, err
	}
	set, err := work(r.Context(), func() (definition.TrainingSet, error) {
		return definition.ParseTrainingSet(r.query.Get("classifierName"), r.query.Get("classifierDisplayName"), sent)
	})
	if err != nil {
		return nil, err
	}
	if err := s.checkExamples(r.Context(), r.who.Account.ID, set.Examples); err != nil {
		return nil, err
	}
	c := definition.Classifier{Name: set.Name, DisplayName: set.DisplayName, Texts: len(set.Examples),
		Labels: set.Labels()}
	card, examples := s.Codec.EncodeCard(c), s.Codec.EncodeExamples(set.Examples)
	err = s.Store.Update(r.Context(), func(tx *store.Tx) error {
		stored, err := tx.InsertClassifier(r.who.Account.ID, c, card, examples)
		if err != nil {
			return err
		}
		c = stored
		visitOf(r.Context()).setResource("", c.ID)
		_, err = tx.Enqueue(pipeline.TrainJob(r.who.Account.ID, store.ModelID{Classifier: c.ID, Version: c.Version}))
		return err
	})
	return wire.NewClassifierDefinition(c), err
}

// checkExamples makes sure that the recordings named in examples exist and are finished.
func (s *Server) checkExamples(ctx context.Context, owner account.ID, examples []definition.Example) error {
	var problems []fault.Problem
	err := s.Store.View(ctx, func(tx *store.Tx) error {
		for i, e := range examples {
			if e.Media == "" || len(problems) >= 100 {
				continue
			}
			m, err := tx.Media(owner, e.Media)
			if err != nil && !fault.Is(err, fault.NotFound) {
				return err
			}
			if err != nil || m.Status != media.Finished {
				problems = append(problems, fault.Problem{Code: fault.CodeTrainingExample,
					Message: "example " + strconv.Itoa(i+1) + ": no finished recording has the id " +
						strconv.Quote(string(e.Media))})
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return fault.All(fault.Invalid, problems)
}

// referredClassifiers returns the classifiers that the ids and names in a configuration can refer to: the versions of
// the account's classifiers, newest first, and those of all accounts. Built-in ones come first, the names of the
// server's networks last.
func (s *Server) referredClassifiers(tx *store.Tx, owner account.ID, idsOrNames []string) ([]plan.Predictor, error) {
	if len(idsOrNames) == 0 {
		return nil, nil
	}
	found := pipeline.BuiltInClassifiers()
	for _, which := range idsOrNames[:min(len(idsOrNames), mostReferences)] {
		versions, err := tx.Classifier(owner, which)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return nil, err
		}
		for _, c := range versions {
			found = append(found, plan.Predictor{ID: c.ID, Name: c.Name, Version: strconv.Itoa(c.Version),
				Pending: c.Status != definition.Ready})
		}
	}
	for _, d := range s.Classifiers {
		found = append(found, plan.Predictor{ID: d.ID, Name: d.Name, Version: d.Version})
	}
	return found, nil
}

// trainedModels returns the classifier versions in a plan that are trained, not built in.
func trainedModels(p *plan.Plan) []store.ModelID {
	var all []store.ModelID
	for _, asked := range p.Classifiers {
		if version, err := strconv.Atoi(asked.Version); err == nil { // versions of built-in classifiers contain dots
			all = append(all, store.ModelID{Classifier: asked.ID, Version: version})
		}
	}
	return all
}
