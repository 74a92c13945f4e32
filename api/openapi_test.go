package openapi

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"parley/internal/call/plan"
)

func load(t *testing.T) *openapi3.T {
	t.Helper()
	text, err := JSON()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestDescriptionIsValidWithItsExamples(t *testing.T) {
	doc := load(t)
	if err := doc.Validate(t.Context(), openapi3.EnableExamplesValidation()); err != nil {
		t.Error(err)
	}
	ids := map[string]bool{}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			if operation.Summary == "" || operation.OperationID == "" || len(operation.Tags) != 1 ||
				ids[operation.OperationID] {
				t.Errorf("%s %s lacks a summary, one tag or an id of its own", method, path)
			}
			ids[operation.OperationID] = true
		}
	}
}

func TestJSONKeepsTheOrderOfTheFile(t *testing.T) {
	text, err := JSON()
	if err != nil {
		t.Fatal(err)
	}
	var last int
	for _, key := range []string{`"openapi":"3.0.3"`, `"paths":{"/v3":`, `"/v3/media":{"post":`, `"/healthz":`,
		`"components":`} {
		at := strings.Index(string(text), key)
		if at <= last && key != `"openapi":"3.0.3"` {
			t.Errorf("%s stands at %d, after %d", key, at, last)
		}
		last = at
	}
	if !json.Valid(text) {
		t.Error("not JSON")
	}
}

// answers maps each golden answer of package wire to its schema.
var answers = map[string]string{
	"accepted": "Accepted", "failure": "Failure", "group": "Group", "groups": "Groups", "key": "Key", "keys": "Keys",
	"list": "MediaList", "media": "Media", "metadata": "MetadataResource",
	"progress": "ProgressResource", "publickey": "PublicKey", "publickeys": "PublicKeys", "queue": "Queue",
	"root": "Root", "search": "SearchFields", "sessions": "Sessions", "signedin": "SignedIn",
	"stream": "StreamLocation", "streams": "Streams",
	"transcript": "TranscriptResource", "usage": "Usage", "vocabularies": "Vocabularies", "vocabulary": "Vocabulary",
}

func TestAnswersHaveNoMoreAndNoLessThanIsDescribed(t *testing.T) {
	doc := load(t)
	for _, s := range doc.Components.Schemas {
		closeShape(s)
	}
	files, err := filepath.Glob("../internal/call/wire/testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no golden answers of package wire", err)
	}
	seen := map[string]bool{}
	for _, file := range files {
		kind, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".json"), "-")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var answer any
		if err := json.Unmarshal(text, &answer); err != nil {
			t.Fatal(err)
		}
		name := answers[kind]
		if name == "" {
			t.Errorf("%s: no schema is named for it in this test", file)
			continue
		}
		seen[kind] = true
		if err := doc.Components.Schemas[name].Value.VisitJSON(answer, openapi3.MultiErrors()); err != nil {
			t.Errorf("%s is no %s: %v", file, name, err)
		}
	}
	for kind := range answers {
		if !seen[kind] {
			t.Errorf("no golden answer %s", kind)
		}
	}
}

// closeShape forbids properties that a schema does not name, unless it allows them explicitly.
func closeShape(s *openapi3.SchemaRef) {
	if s == nil || s.Ref != "" && s.Value.AdditionalProperties.Has != nil {
		return
	}
	v := s.Value
	if len(v.Properties) > 0 && v.AdditionalProperties.Has == nil && v.AdditionalProperties.Schema == nil {
		no := false
		v.AdditionalProperties.Has = &no
	}
	for _, p := range v.Properties {
		closeShape(p)
	}
	closeShape(v.Items)
}

// integers are the fields that are integers in the public schema; clients generated from it reject other numbers.
var integers = []string{
	"p", "s", "e", "length", "code", "limit", "offset", "totalResults", "queryTimeMillis", "timeToLiveInSeconds",
	"percent",
	"predictedClass", "detectorClass", "classValue", "categoryValue", "weight", "ttlMillis", "attempts", "year",
	"month",
}

func TestIntegersOfThePublicSchemaAreDescribedAsIntegers(t *testing.T) {
	seen := map[string]bool{}
	var walk func(path string, s *openapi3.SchemaRef)
	walk = func(path string, s *openapi3.SchemaRef) {
		for name, p := range s.Value.Properties {
			// energies of frequencies are called e
			if slices.Contains(integers, name) && !strings.HasSuffix(path, ".frq[]") {
				seen[name] = true
				if !p.Value.Type.Is("integer") {
					t.Errorf("%s.%s is %v", path, name, p.Value.Type)
				}
			}
			if p.Ref == "" {
				walk(path+"."+name, p)
			}
		}
		if s.Value.Items != nil && s.Value.Items.Ref == "" {
			walk(path+"[]", s.Value.Items)
		}
	}
	schemas := load(t).Components.Schemas
	for name, s := range schemas {
		walk(name, s)
	}
	for _, name := range integers {
		if !seen[name] {
			t.Errorf("no schema has %s", name)
		}
	}
	for _, name := range []string{"Failure", "Stream", "StreamLocation"} {
		if s := schemas[name].Value.Properties["status"]; !s.Value.Type.Is("integer") {
			t.Errorf("%s.status is %v", name, s.Value.Type)
		}
	}
}

func TestConfigurationHasExactlyTheKeysThatAreParsed(t *testing.T) {
	got := paths(load(t).Components.Schemas["Configuration"].Value, "")
	want := plan.Paths()
	slices.Sort(got)
	slices.Sort(want)
	for _, p := range want {
		if !slices.Contains(got, p) {
			t.Errorf("%s is not described", p)
		}
	}
	for _, p := range got {
		if !slices.Contains(want, p) {
			t.Errorf("%s is described but not parsed", p)
		}
	}
}

func paths(s *openapi3.Schema, prefix string) []string {
	switch {
	case s.Items != nil:
		return paths(s.Items.Value, prefix+"[]")
	case len(s.Properties) == 0:
		return []string{prefix}
	}
	var all []string
	for name, p := range s.Properties {
		all = append(all, paths(p.Value, strings.TrimPrefix(prefix+"."+name, "."))...)
	}
	return all
}

func TestEveryErrorCodeIsInTheTable(t *testing.T) {
	description := load(t).Components.Schemas["Problem"].Value.Description
	code, err := os.ReadFile("../internal/words/fault/code.go")
	if err != nil {
		t.Fatal(err)
	}
	all := regexp.MustCompile(`= (\d{5})\b`).FindAllSubmatch(code, -1)
	if len(all) < 50 {
		t.Fatalf("only %d codes found in package fault", len(all))
	}
	for _, m := range all {
		if n, _ := strconv.Atoi(string(m[1])); !listed(description, n) {
			t.Errorf("code %d is not in the table of the description", n)
		}
	}
}

// listed reports whether the first column of a table row has a code, alone or in a range.
func listed(description string, code int) bool {
	for _, row := range regexp.MustCompile(`(?m)^\| ([0-9, –]+) \|`).FindAllStringSubmatch(description, -1) {
		for _, entry := range strings.Split(row[1], ", ") {
			first, last, ranged := strings.Cut(entry, "–")
			from, _ := strconv.Atoi(first)
			to := from
			if ranged {
				to, _ = strconv.Atoi(last)
			}
			if from <= code && code <= to {
				return true
			}
		}
	}
	return false
}
