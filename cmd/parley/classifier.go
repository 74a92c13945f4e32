package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"time"

	"parley/internal/call/wire"
	"parley/internal/terminal/client"
)

// classifierCommand manages the classifiers of an account on a server.
type classifierCommand struct {
	Train  classifierTrain  `cmd:"" help:"Train a new version of a classifier from labelled texts or recordings."`
	List   classifierList   `cmd:"" help:"List the classifiers with their versions."`
	Get    classifierGet    `cmd:"" help:"Show a classifier with its quality, class by class."`
	Delete classifierDelete `cmd:"" help:"Delete a classifier, or one version of it."`
}

type classifierTrain struct {
	connection
	Name        string `arg:"" help:"Name of the classifier; if it exists, the result is a new version of it."`
	File        string `arg:"" type:"existingfile" help:"Examples: CSV with the columns text or mediaId, and label; or JSON."`
	DisplayName string `help:"Name to show to people." placeholder:"TEXT"`
	NoWait      bool   `help:"Return as soon as the examples are accepted."`
}

// trainingLook is the interval between requests for the state of the training.
const trainingLook = 500 * time.Millisecond

// Run sends the examples, waits until the version is trained and prints its quality.
func (c *classifierTrain) Run(ctx context.Context) error {
	examples, err := readInput(c.File)
	if err != nil {
		return err
	}
	cl, err := c.client()
	if err != nil {
		return err
	}
	trained, err := readClassifier(cl.TrainClassifier(ctx, c.Name, c.DisplayName, bytes.NewReader(examples)))
	if err != nil {
		return err
	}
	tick := time.NewTicker(trainingLook)
	defer tick.Stop()
	for !c.NoWait && trained.Status == "training" {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		err = cl.Patience.Do(ctx, func() (err error) {
			trained, err = readClassifier(cl.Classifier(ctx, trained.ClassifierID, trained.ClassifierVersion))
			return err
		})
		if err != nil {
			return err
		}
	}
	return printClassifier(trained)
}

func readClassifier(body []byte, err error) (c wire.ClassifierDefinition, _ error) {
	if err != nil {
		return c, err
	}
	return read[wire.ClassifierDefinition](body)
}

type classifierList struct{ listing }

// Run lists all versions.
func (c *classifierList) Run(ctx context.Context) error {
	return printList(ctx, c.listing, (*client.Client).Classifiers, func(list wire.ClassifierDefinitions) [][]any {
		return rowsOf(list.Classifiers, func(d wire.ClassifierDefinition) []any {
			return []any{d.ClassifierName, d.ClassifierVersion, statusOf(d), len(d.Classes), d.TrainingTexts,
				accuracyOf(d), d.ClassifierID}
		}, "NAME", "VERSION", "STATUS", "CLASSES", "TEXTS", "ACCURACY", "ID")
	})
}

func statusOf(c wire.ClassifierDefinition) string {
	switch {
	case c.BuiltIn:
		return "built in"
	case c.Status == "training":
		return fmt.Sprintf("training %d %%", c.Percent)
	}
	return c.Status
}

func accuracyOf(c wire.ClassifierDefinition) string {
	if c.Quality == nil {
		return ""
	}
	return percentage(c.Quality.Accuracy)
}

func percentage(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// chosenClassifier has the flags of commands on one classifier.
type chosenClassifier struct {
	Name    string `arg:"" help:"Name or id of the classifier."`
	Version string `help:"Version; default: ${versions}." placeholder:"N"`
}

type classifierGet struct {
	connection
	chosenClassifier `set:"versions=the newest"`
	printing
}

// Run shows one version.
func (c *classifierGet) Run(ctx context.Context) error {
	body, err := c.ask(ctx, func(cl *client.Client, ctx context.Context) ([]byte, error) {
		return cl.Classifier(ctx, c.Name, c.Version)
	})
	return answer(c.printing, body, err, printClassifier)
}

// printClassifier prints a version with its quality; it returns errFailed if the training failed.
func printClassifier(c wire.ClassifierDefinition) error {
	fmt.Printf("%s version %s (%s): %s\n", c.ClassifierName, c.ClassifierVersion, c.ClassifierID, statusOf(c))
	for _, problem := range c.Errors {
		fmt.Fprintln(os.Stderr, problem.Error)
	}
	if c.Status == "failed" {
		return errFailed
	}
	q := c.Quality
	if q == nil {
		for _, class := range c.Classes {
			fmt.Printf("%4d  %s\n", class.ClassValue, class.ClassLabel)
		}
		return nil
	}
	fmt.Printf("texts: %d, classes: %d; cross-validation in %d parts: accuracy %s, macro F1 %.3f, log loss %.3f, "+
		"calibration error %.3f\n\n",
		c.TrainingTexts, len(c.Classes), q.Folds, percentage(q.Accuracy), q.MacroF1, q.LogLoss, q.CalibrationError)
	rows := [][]any{{"CLASS", "LABEL", "TEXTS", "PRECISION", "RECALL", "F1"}}
	for i, of := range q.Classes {
		rows = append(rows, []any{i, of.PredictedClassLabel, of.Texts, percentage(of.Precision), percentage(of.Recall),
			fmt.Sprintf("%.3f", of.F1)})
	}
	return table(rows)
}

type classifierDelete struct {
	chosenClassifier `set:"versions=all versions"`
	removal
}

// Run deletes a classifier or a version of it.
func (c *classifierDelete) Run(ctx context.Context) error {
	versions := "all versions"
	if c.Version != "" {
		versions = "version " + c.Version
	}
	return c.all(ctx, versions+" of the classifier "+c.Name, []string{c.Name},
		func(cl *client.Client, name string) error { return cl.DeleteClassifier(ctx, name, c.Version) })
}
