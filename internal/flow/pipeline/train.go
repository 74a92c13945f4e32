package pipeline

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"strings"

	"parley/internal/analysis/classify"
	"parley/internal/call/definition"
	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// TrainJob returns the job that trains a version of a classifier.
func TrainJob(owner account.ID, id store.ModelID) job.Spec {
	return job.Spec{Kind: KindTrain, Account: string(owner), Subject: store.TrainingSubject(id),
		Priority: int(media.Normal)}
}

// modelOf decodes the payload of a training job.
func modelOf(j job.Job) (store.ModelID, error) {
	id, number, _ := strings.Cut(j.Subject, "/")
	version, err := strconv.Atoi(number)
	if err != nil {
		return store.ModelID{}, fault.New(fault.Internal, fault.CodeInternal, "training job %s has the invalid subject %q",
			j.ID, j.Subject)
	}
	return store.ModelID{Classifier: id, Version: version}, nil
}

// Train trains a version of a classifier. After a crash it starts again: training takes seconds.
func (p *Pipeline) Train(ctx context.Context, j job.Job) error {
	id, err := modelOf(j)
	if err != nil {
		return err
	}
	var c store.StoredClassifier
	var kept []byte
	err = p.fenced(ctx, j, func(tx *store.Tx) (err error) {
		c, kept, err = tx.BeginTraining(id)
		return err
	})
	if fault.Is(err, fault.NotFound) {
		return nil // deleted, or already trained
	}
	if err != nil {
		return err
	}
	trained, model, err := p.train(ctx, j, id, c, kept)
	switch {
	case errors.Is(err, classify.ErrLabels) || errors.Is(err, classify.ErrTexts):
		return p.complete(ctx, j, failTraining(id, fault.Problem{
			Code: fault.CodeTrainingSet, Message: "too few of the examples are left: " + err.Error(),
		}))
	case err != nil:
		return err
	}
	card, data := p.Codec.EncodeCard(trained), p.Codec.EncodeModel(model)
	return p.complete(ctx, j, func(tx *store.Tx) error { return tx.EndTraining(id, card, data) })
}

// failTraining records that a version could not be trained.
func failTraining(id store.ModelID, problem fault.Problem) func(*store.Tx) error {
	return func(tx *store.Tx) error { return tx.FailTraining(id, []fault.Problem{problem}) }
}

// train trains on the examples of a version.
func (p *Pipeline) train(
	ctx context.Context, j job.Job, id store.ModelID, c store.StoredClassifier, kept []byte,
) (definition.Classifier, *classify.Model, error) {
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
		job.Progress(ctx)
		p.tell(ctx, j, slog.String("classifier", id.Classifier), func(tx *store.Tx) error {
			return tx.SetTrainingPercent(id, 100*done/(classify.Steps+1))
		})
	})
	if err != nil {
		return trained, nil, err
	}
	trained.Labels, trained.Texts, trained.Quality = model.Labels(), quality.Texts, &quality
	return trained, model, nil
}

// texts returns the words of examples. It leaves out recordings that no longer exist or have no words.
func (p *Pipeline) texts(
	ctx context.Context, owner account.ID, examples []definition.Example,
) ([]classify.Example, error) {
	var texts []classify.Example
	for _, e := range examples {
		words := classify.Written(e.Text)
		if e.Media != "" {
			kept, err := store.Read(ctx, p.Store, func(tx *store.Tx) (store.Result, error) {
				return tx.Result(owner, e.Media)
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
