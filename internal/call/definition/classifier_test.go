package definition

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"parley/internal/words/fault"
)

const recordingID = "01912c45-5f3c-7d1a-9b1e-0a8d5c2f4e11"

// three repeats an example three times.
func three(example string) string { return example + "," + example + "," + example }

func TestTrainingSetsAreReadFromJSONAndCSV(t *testing.T) {
	object := `{"classifierName":"c","examples":[` + three(`{"text":"a b","label":" x "}`) + "," +
		three(`{"mediaId":"`+recordingID+`","label":"y"}`) + `]}`
	table := "\xef\xbb\xbfMediaId,Text,Label,note\n" + strings.Repeat(",a b, x,n\n", 3) +
		strings.Repeat(strings.ToUpper(recordingID)+",,y,\"n\nm\"\n", 3)
	want := TrainingSet{Name: "c", DisplayName: "C",
		Examples: []Example{{Text: "a b", Label: "x"}, {Text: "a b", Label: "x"}, {Text: "a b", Label: "x"},
			{Media: recordingID, Label: "y"}, {Media: recordingID, Label: "y"}, {Media: recordingID, Label: "y"}}}
	for name, sent := range map[string]string{"": object, "c": table} {
		got, err := ParseTrainingSet(name, "C", []byte(sent))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v (%v)", got, err)
		}
	}
	if l := want.Labels(); !reflect.DeepEqual(l, []string{"x", "y"}) {
		t.Error(l)
	}
	got, err := ParseTrainingSet("", "", []byte(object))
	if err != nil || got.DisplayName != "c" {
		t.Errorf("without display name: %q (%v)", got.DisplayName, err)
	}
}

func TestAllThatIsWrongWithATrainingSetIsSaid(t *testing.T) {
	good := three(`{"text":"a","label":"x"}`) + "," + three(`{"text":"b","label":"y"}`)
	for sent, want := range map[string]string{
		" ":                           "95090 the request body is empty",
		"{":                           "95090 JSON",
		`{"examples":[` + good + `]}`: "95092 classifierName",
		`{"classifierName":"` + recordingID + `","examples":[` + good + `]}`: "95092 looks like an id",
		`{"classifierName":"Voicemail","examples":[` + good + `]}`:           "95092 built-in",
		`{"classifierName":"c"}`: "95090 0 different labels",
		`{"classifierName":"c","examples":[` + good +
			`,{"text":"z","label":"z"}]}`: `95090 "z" has 1`,
		`{"classifierName":"c","examples":[{"text":"a"}]}`:                                         "95091 /examples/0: has no label",
		`{"classifierName":"c","examples":[{"text":"a","mediaId":"b","label":"x"},{"label":"x"}]}`: "95091 /examples/0: exactly one|95091 /examples/1: exactly one",
		`{"classifierName":"c","examples":[{"mediaId":"b","label":"x"}]}`:                          `95091 "b" is not the id`,
		`{"classifierName":"c","examples":[{"text":"[x] …","label":"x"}]}`:                         "95091 no words",
		`{"classifierName":"c","examples":[{"text":"a","label":"` + strings.Repeat("l", 129) +
			`"}]}`: "95091 129 characters",
		"text,note\na,b\n":     "95090 columns text, note",
		"text,label\na\n":      "95090 CSV",
		"text,label\n,x\n":     "95091 line 2",
		"text,label\n\"a,x\n":  "95090 CSV",
		"label,mediaId\nx,y\n": `95091 line 2: mediaId "y"`,
	} {
		_, err := ParseTrainingSet("", "", []byte(sent))
		var said []string
		for _, p := range fault.ProblemsOf(err) {
			said = append(said, fmt.Sprintf("%d %s", p.Code, p.Message))
		}
		all := strings.Join(said, "\n")
		for part := range strings.SplitSeq(want, "|") {
			code, words, _ := strings.Cut(part, " ")
			if !strings.Contains(all, code) || !strings.Contains(all, words) {
				t.Errorf("%.80q: %s; want %s", sent, all, part)
			}
		}
	}
}

func FuzzParseTrainingSet(f *testing.F) {
	f.Add("c", "text,label\na,x\n")
	f.Add("", `{"classifierName":"c","examples":[{"text":"a","label":"x"},{"mediaId":"b"}]}`)
	f.Fuzz(func(t *testing.T, name, sent string) {
		set, err := ParseTrainingSet(name, "", []byte(sent))
		if err != nil && len(fault.ProblemsOf(err)) == 0 {
			t.Fatal("an error that says nothing")
		}
		if err == nil && (set.Name == "" || len(set.Labels()) < 2) {
			t.Fatalf("taken: %+v", set)
		}
	})
}
