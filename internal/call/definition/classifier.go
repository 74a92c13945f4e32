package definition

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"parley/internal/analysis/classify"
	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
	"parley/internal/words/media"
)

// TrainingStatus is the state of the training of a classifier version.
type TrainingStatus string

// The statuses. A version that is ready is immutable.
const (
	Training TrainingStatus = "training"
	Ready    TrainingStatus = "ready"
	Failed   TrainingStatus = "failed"
)

// Classifier is one version of a classifier that an account has trained.
type Classifier struct {
	ID          string // UUID, the same for all versions
	Name        string // unique in the account, ignoring case
	DisplayName string
	Version     int // from 1
	Status      TrainingStatus
	Percent     int // progress of training
	Labels      []string
	Texts       int               // number of training texts
	Quality     *classify.Quality // nil unless it is ready
	Created     time.Time
	Finished    time.Time       // when training succeeded or failed; zero before
	Problems    []fault.Problem // why it failed
}

// TrainingSet is the training input of a classifier version.
type TrainingSet struct {
	Name        string // of the classifier
	DisplayName string // as given; if empty, the name
	Examples    []Example
}

// Labels returns the distinct labels, sorted.
func (s TrainingSet) Labels() []string {
	labels := map[string]bool{}
	for _, e := range s.Examples {
		labels[e.Label] = true
	}
	return slices.Sorted(maps.Keys(labels))
}

// Example is a text or a recording with its class.
type Example struct {
	Text  string   // empty if Media is set
	Media media.ID // a finished recording of the account
	Label string
}

// Limits of training sets, in addition to those of package classify.
const (
	MaxTrainingBytes = 32 << 20
	MaxLabel         = 128 // characters
)

var classifierShape = jsondoc.Fields(
	jsondoc.Field{Name: "classifierName", Shape: jsondoc.Text().Coded(fault.CodeClassifierName)},
	jsondoc.Field{Name: "classifierDisplayName", Shape: jsondoc.Text().Coded(fault.CodeClassifierName)},
	jsondoc.Field{Name: "examples", Shape: jsondoc.List(jsondoc.Fields(
		jsondoc.Field{Name: "text", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "mediaId", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "label", Shape: jsondoc.Text()},
	))},
)

// ParseTrainingSet parses a training set: a JSON object, or CSV with the name of the classifier in the request. If both
// the body and the request name it, the names must be equal. The error is a fault of kind Invalid with all problems.
func ParseTrainingSet(name, displayName string, sent []byte) (TrainingSet, error) {
	sent = bytes.TrimPrefix(sent, []byte("\xef\xbb\xbf"))
	set, c := TrainingSet{Name: name, DisplayName: displayName}, &checker{}
	var err error
	if bytes.HasPrefix(bytes.TrimSpace(sent), []byte("{")) {
		err = c.trainingObject(&set, sent)
	} else {
		err = c.trainingTable(&set, sent)
	}
	if err != nil {
		return set, err
	}
	c.checkClassifierName(&set)
	if len(c.problems) == 0 {
		c.checkSizes(set.Examples)
	}
	return set, fault.All(fault.Invalid, c.problems)
}

func (c *checker) trainingObject(set *TrainingSet, sent []byte) error {
	root, err := jsondoc.Parse(sent, jsondoc.Limits{Bytes: MaxTrainingBytes, Depth: 8, Values: 5 * classify.MaxTexts})
	if err != nil {
		return fault.New(fault.Invalid, fault.CodeTrainingSet, "the training set is invalid JSON: %w", err)
	}
	c.problems = jsondoc.Check(root, classifierShape, jsondoc.Codes{
		Type: fault.CodeTrainingSet, Unknown: fault.CodeUnknownProperty, Duplicate: fault.CodeDuplicateProperty,
	})
	inside := root.Get("classifierName")
	if set.Name != "" && inside.Text() != "" && inside.Text() != set.Name {
		c.refuse(inside, fault.CodeClassifierName, "%q is not the name %q in the address; make them the same",
			clip(inside.Text()), clip(set.Name))
	}
	set.Name = cmp.Or(set.Name, inside.Text())
	if set.DisplayName == "" {
		set.DisplayName = root.Get("classifierDisplayName").Text()
	}
	for _, v := range root.Get("examples").Items() {
		set.Examples = append(set.Examples,
			c.example(v.Pointer(), v.Get("text").Text(), v.Get("mediaId").Text(), v.Get("label").Text()))
	}
	return nil
}

// note adds a problem at a place.
func (c *checker) note(place string, code int, format string, args ...any) {
	if len(c.problems) < maxProblems {
		c.problems = append(c.problems, fault.Problem{Code: code, Message: place + ": " + fmt.Sprintf(format, args...)})
	}
}

// example validates one example. place is its location in the training set.
func (c *checker) example(place, text, mediaID, label string) Example {
	e := Example{Text: text, Label: strings.TrimSpace(label)}
	id, err := media.ParseID(mediaID)
	switch {
	case (text == "") == (mediaID == ""):
		c.note(place, fault.CodeTrainingExample, "exactly one of text and mediaId is required")
	case mediaID != "" && err != nil:
		c.note(place, fault.CodeTrainingExample, "mediaId %q is not the id of a recording", clip(mediaID))
	case mediaID != "":
		e.Media = id
	case len(classify.Written(text)) == 0:
		c.note(place, fault.CodeTrainingExample, "the text contains no words; remove the example")
	}
	switch length := utf8.RuneCountInString(e.Label); {
	case length == 0:
		c.note(place, fault.CodeTrainingExample, "has no label; add the class that it belongs to")
	case length > MaxLabel:
		c.note(place, fault.CodeTrainingExample, "the label has %d characters; at most %d are allowed", length, MaxLabel)
	}
	return e
}

var uuidForm = regexp.MustCompile(`^(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

func (c *checker) checkClassifierName(set *TrainingSet) {
	wrong := nameProblem(set.Name)
	switch {
	case wrong != "":
		c.note("classifierName", fault.CodeClassifierName,
			"%s; use 1 to %d printable characters without a slash; with CSV, send the name as the query parameter "+
				"?classifierName=",
			wrong, MaxName)
	case uuidForm.MatchString(set.Name):
		c.note("classifierName", fault.CodeClassifierName, "%q looks like an id; use another name", set.Name)
	case slices.ContainsFunc(classify.BuiltIn(), func(d classify.Description) bool {
		return strings.EqualFold(d.Name, set.Name)
	}):
		c.note("classifierName", fault.CodeClassifierName, "%q is a built-in classifier; use another name", set.Name)
	}
	set.DisplayName = cmp.Or(set.DisplayName, set.Name)
	if utf8.RuneCountInString(set.DisplayName) > MaxName {
		c.note("classifierDisplayName", fault.CodeClassifierName, "is too long; use at most %d characters", MaxName)
	}
}

// checkSizes checks the limits of training on a set of valid examples.
func (c *checker) checkSizes(examples []Example) {
	labels, words := map[string]int{}, 0
	for _, e := range examples {
		labels[e.Label]++
		words += len(classify.Written(e.Text))
	}
	if len(labels) < 2 || len(labels) > classify.MaxLabels {
		c.note("examples", fault.CodeTrainingSet, "there are %d different labels; use between 2 and %d",
			len(labels), classify.MaxLabels)
	}
	if len(examples) > classify.MaxTexts || words > classify.MaxWords {
		c.note("examples", fault.CodeTrainingSet,
			"there are %d examples with %d words; at most %d examples with %d words are allowed",
			len(examples), words, classify.MaxTexts, classify.MaxWords)
	}
	for _, l := range slices.Sorted(maps.Keys(labels)) {
		if labels[l] < classify.MinTexts {
			c.note("examples", fault.CodeTrainingSet, "the label %q has %d examples; each label needs at least %d", clip(l),
				labels[l], classify.MinTexts)
		}
	}
}
