package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	"parley/internal/client"
	"parley/internal/wire"
)

// classifierCommand manages the classifiers of an account on a server.
type classifierCommand struct {
	Train  classifierTrain  `cmd:"" help:"Train a new version of a classifier from labelled texts or recordings."`
	List   classifierList   `cmd:"" help:"List the classifiers with their versions."`
	Show   classifierShow   `cmd:"" help:"Show a classifier with its quality, class by class."`
	Remove classifierRemove `cmd:"" help:"Delete a classifier, or one version of it."`
}

// serverFlags say which server is asked.
type serverFlags struct {
	Server string `help:"Address of the server." default:"http://127.0.0.1:8080" env:"PARLEY_SERVER" placeholder:"URL"`
	Token  string `help:"Access token." env:"PARLEY_TOKEN" required:"" placeholder:"TOKEN"`
}

func (f serverFlags) client() *client.Client {
	return &client.Client{Base: f.Server, Token: f.Token, HTTP: http.DefaultClient}
}

type classifierTrain struct {
	serverFlags
	Name        string `arg:"" help:"Name of the classifier; under one that is there already this is a new version."`
	File        string `arg:"" type:"existingfile" help:"Examples: CSV with the columns text or mediaId, and label; or JSON."`
	DisplayName string `help:"Name as people read it." placeholder:"TEXT"`
	NoWait      bool   `help:"Return when the examples are accepted."`
}

// trainingLook is how often the server is asked how far it is.
const trainingLook = 500 * time.Millisecond

// Run sends the examples, waits until the version is trained and prints its quality.
func (c *classifierTrain) Run(ctx context.Context) error {
	file, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	cl := c.client()
	trained, err := readClassifier(cl.TrainClassifier(ctx, c.Name, c.DisplayName, file))
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
		if trained, err = readClassifier(cl.Classifier(ctx, trained.ClassifierID, trained.ClassifierVersion)); err != nil {
			return err
		}
	}
	return printClassifier(trained)
}

func readClassifier(body []byte, err error) (c wire.ClassifierDefinition, _ error) {
	if err != nil {
		return c, err
	}
	return c, json.Unmarshal(body, &c)
}

type classifierList struct {
	serverFlags
	JSON bool `help:"Print JSON, for machines."`
}

// Run lists all versions.
func (c *classifierList) Run(ctx context.Context) error {
	body, err := c.client().Classifiers(ctx)
	if err != nil {
		return err
	}
	if c.JSON {
		_, err = os.Stdout.Write(body)
		return err
	}
	var list wire.ClassifierDefinitions
	if err := json.Unmarshal(body, &list); err != nil {
		return err
	}
	rows := [][]any{{"NAME", "VERSION", "STATUS", "CLASSES", "TEXTS", "ACCURACY", "ID"}}
	for _, d := range list.Classifiers {
		rows = append(rows, []any{d.ClassifierName, d.ClassifierVersion, statusOf(d), len(d.Classes), d.TrainingTexts, accuracyOf(d), d.ClassifierID})
	}
	return table(rows)
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

type classifierShow struct {
	serverFlags
	Name    string `arg:"" help:"Name or id of the classifier."`
	Version string `help:"Version; the newest without it." placeholder:"N"`
	JSON    bool   `help:"Print JSON, for machines."`
}

// Run shows one version.
func (c *classifierShow) Run(ctx context.Context) error {
	body, err := c.client().Classifier(ctx, c.Name, c.Version)
	if err == nil && c.JSON {
		_, err = os.Stdout.Write(body)
		return err
	}
	shown, err := readClassifier(body, err)
	if err != nil {
		return err
	}
	return printClassifier(shown)
}

// printClassifier prints a version with its quality; errFailed where it could not be trained.
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
			fmt.Printf("%4d  %s\n", class.PredictedClass, class.PredictedClassLabel)
		}
		return nil
	}
	fmt.Printf("%d texts, %d classes; cross-validation in %d parts: accuracy %s, macro F1 %.3f, log loss %.3f, calibration error %.3f\n\n",
		c.TrainingTexts, len(c.Classes), q.Folds, percentage(q.Accuracy), q.MacroF1, q.LogLoss, q.CalibrationError)
	rows := [][]any{{"CLASS", "LABEL", "TEXTS", "PRECISION", "RECALL", "F1"}}
	for i, of := range q.Classes {
		rows = append(rows, []any{i, of.PredictedClassLabel, of.Texts, percentage(of.Precision), percentage(of.Recall), fmt.Sprintf("%.3f", of.F1)})
	}
	return table(rows)
}

type classifierRemove struct {
	serverFlags
	Name    string `arg:"" help:"Name or id of the classifier."`
	Version string `help:"Version; all without it." placeholder:"N"`
}

// Run deletes it.
func (c *classifierRemove) Run(ctx context.Context) error {
	return c.client().DeleteClassifier(ctx, c.Name, c.Version)
}
