package pipeline

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"parley/internal/account"
	"parley/internal/analysis/classify"
	"parley/internal/definition"
	"parley/internal/fault"
	"parley/internal/job"
	"parley/internal/media"
	"parley/internal/store"
)

// TrainJob asks for a version of a classifier to be trained.
func TrainJob(owner account.ID, id store.ModelID) job.Spec {
	return job.Spec{Kind: KindTrain, Account: string(owner), Subject: store.TrainingSubject(id), Priority: int(media.Normal)}
}

// modelOf reads what a training job is about.
func modelOf(j job.Job) (store.ModelID, error) {
	id, number, _ := strings.Cut(j.Subject, "/")
	version, err := strconv.Atoi(number)
	if err != nil {
		return store.ModelID{}, fault.New(fault.Internal, fault.CodeInternal, "training job %s is about %q", j.ID, j.Subject)
	}
	return store.ModelID{Classifier: id, Version: version}, nil
}

// Train trains a version of a classifier. It begins anew after a crash: it takes seconds.
func (p *Pipeline) Train(ctx context.Context, j job.Job) error {
	id, err := modelOf(j)
	if err != nil {
		return err
	}
	var c store.StoredClassifier
	var kept []byte
	err = p.Store.Update(ctx, func(tx *store.Tx) (err error) {
		if err := tx.FenceJob(j); err != nil {
			return err
		}
		c, kept, err = tx.BeginTraining(id)
		return err
	})
	if fault.Is(err, fault.NotFound) {
		return nil // deleted, or ready
	}
	if err != nil {
		return err
	}
	trained, model, err := p.train(ctx, j, id, c, kept)
	switch {
	case errors.Is(err, classify.ErrLabels) || errors.Is(err, classify.ErrTexts):
		return p.failTraining(ctx, j, id, fault.Problem{Code: fault.CodeTrainingSet, Message: "of what the examples name there is too little left: " + err.Error()})
	case err != nil:
		return err
	}
	card, data := p.Codec.EncodeCard(trained), p.Codec.EncodeModel(model)
	return p.Store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.CompleteJob(j); err != nil {
			return err
		}
		return tx.EndTraining(id, card, data)
	})
}

// train learns from the examples of a version.
func (p *Pipeline) train(ctx context.Context, j job.Job, id store.ModelID, c store.StoredClassifier, kept []byte) (definition.Classifier, *classify.Model, error) {
	trained := c.Classifier
	examples, err := p.Codec.DecodeExamples(kept)
	if err != nil {
		return trained, nil, err
	}
	texts, err := p.texts(ctx, c.Account, examples)
	if err != nil {
		return trained, nil, err
	}
	done := 0
	model, quality, err := classify.Train(ctx, texts, func() {
		done++
		p.showTraining(ctx, j, id, 100*done/(classify.Steps+1))
	})
	if err != nil {
		return trained, nil, err
	}
	trained.Labels, trained.Texts, trained.Quality = model.Labels(), quality.Texts, &quality
	return trained, model, nil
}

// texts returns the words of examples. Recordings that are not there any more, or have no words, are left out.
func (p *Pipeline) texts(ctx context.Context, owner account.ID, examples []definition.Example) ([]classify.Example, error) {
	var texts []classify.Example
	for _, e := range examples {
		words := classify.Written(e.Text)
		if e.Media != "" {
			var kept store.Result
			err := p.Store.View(ctx, func(tx *store.Tx) (err error) {
				kept, err = tx.Result(owner, e.Media)
				return err
			})
			if fault.Is(err, fault.NotFound) {
				continue
			}
			if err != nil {
				return nil, err
			}
			open, err := p.Codec.DecodeResult(kept.Result)
			if err != nil {
				return nil, err
			}
			words = classify.Spoken(open.Transcript)
		}
		if len(words) > 0 {
			texts = append(texts, classify.Example{Words: words, Label: e.Label})
		}
	}
	return texts, nil
}

// showTraining tells how far training has come. That it could not be told is logged, and does not matter.
func (p *Pipeline) showTraining(ctx context.Context, j job.Job, id store.ModelID, percent int) {
	job.Progress(ctx)
	err := p.Store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.FenceJob(j); err != nil {
			return err
		}
		return tx.SetTrainingPercent(id, percent)
	})
	if err != nil && ctx.Err() == nil {
		p.Log.Debug("cannot write progress", "classifier", id.Classifier, "error", err)
	}
}

// failTraining publishes that a version could not be trained.
func (p *Pipeline) failTraining(ctx context.Context, j job.Job, id store.ModelID, problem fault.Problem) error {
	return p.Store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.CompleteJob(j); err != nil {
			return err
		}
		return tx.FailTraining(id, []fault.Problem{problem})
	})
}

// spentTraining publishes that a training job used up its attempts. The job stays, dead, for operators to run again.
func (p *Pipeline) spentTraining(ctx context.Context, j job.Job, problem fault.Problem) error {
	id, err := modelOf(j)
	if err != nil {
		return err
	}
	return p.Store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.FenceJob(j); err != nil {
			return err
		}
		return tx.FailTraining(id, []fault.Problem{problem})
	})
}
