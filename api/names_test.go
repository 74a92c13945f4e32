package openapi

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"parley/internal/analysis/detect"
	"parley/internal/analysis/talk"
	"parley/internal/call/caption"
	"parley/internal/call/delivery"
	"parley/internal/words/media"
)

// Places in the description, as keys and indices.
const (
	callback      = "components schemas Configuration properties publish properties callbacks items properties "
	configuration = "components schemas Configuration properties "
	schemas       = "components schemas "
)

// TestEveryRowOfATableIsDescribed compares openapi.yaml and the documents with the program's tables of names: an
// enumeration has exactly the rows, a page has each in code font.
func TestEveryRowOfATableIsDescribed(t *testing.T) {
	var detectors []string
	for _, d := range detect.Detectors() {
		detectors = append(detectors, d.Name)
	}
	for concept, c := range map[string]struct {
		rows   []string
		places []string
		pages  []string
	}{
		"formats": {texts(caption.All), []string{
			"paths /v3/media/{mediaId}/transcript/{format} parameters 1 schema enum", callback + "format enum",
		}, []string{"formats", "configuration"}},
		"formats beside JSON": {texts(caption.Formats), []string{
			"components parameters includeAlternateFormat schema items enum",
			schemas + "AlternateFormat properties format enum",
		}, []string{"formats"}},
		"media types": {caption.ContentTypes(), []string{"components responses Transcript content"},
			[]string{"formats"}},
		"streams":    {media.StreamNames, []string{schemas + "Stream properties streamName enum"}, []string{"streams"}},
		"recordings": {media.Recordings, []string{callback + "stream enum"}, []string{"callbacks", "configuration"}},
		"callback types": {delivery.TypeNames(), []string{
			callback + "type enum", schemas + "Callback properties type enum",
		}, []string{"callbacks", "configuration"}},
		"sections": {delivery.Sections, []string{callback + "include items enum"},
			[]string{"callbacks", "configuration"}},
		"metric groups": {talk.GroupNames(), []string{
			configuration + "metrics items properties metricGroupName enum",
			schemas + "MetricGroup properties metricGroupName enum",
		}, []string{"configuration"}},
		"detectors": {detectors, nil, []string{"detection", "configuration"}},
		"detection levels": {detect.Levels(), []string{
			"paths /v3/definition/prediction/detectors get responses 200 content application/json example detectors " +
				"0 parameters 0 valueSet",
		}, []string{"detection", "configuration"}},
	} {
		want := slices.Sorted(slices.Values(c.rows))
		for _, place := range c.places {
			if got := namesAt(t, place); !slices.Equal(got, want) {
				t.Errorf("%s: openapi.yaml has %v at %s, the table %v", concept, got, place, want)
			}
		}
		for _, name := range c.pages {
			page, err := os.ReadFile("../docs/" + name + ".md")
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range c.rows {
				if !strings.Contains(string(page), "`"+row+"`") {
					t.Errorf("%s: docs/%s.md lacks `%s`", concept, name, row)
				}
			}
		}
	}
}

// namesAt returns the texts of a list of the description, or the keys of an object, sorted.
func namesAt(t *testing.T, place string) (names []string) {
	t.Helper()
	text, err := JSON()
	if err != nil {
		t.Fatal(err)
	}
	var at any
	if err := json.Unmarshal(text, &at); err != nil {
		t.Fatal(err)
	}
	for _, key := range strings.Fields(place) {
		if list, ok := at.([]any); ok {
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(list) {
				t.Fatalf("openapi.yaml has no %s", place)
			}
			at = list[i]
			continue
		}
		object, _ := at.(map[string]any)
		if at = object[key]; at == nil {
			t.Fatalf("openapi.yaml has no %s", place)
		}
	}
	switch at := at.(type) {
	case map[string]any:
		return slices.Sorted(maps.Keys(at))
	case []any:
		for _, v := range at {
			names = append(names, v.(string))
		}
	}
	slices.Sort(names)
	return names
}

func texts(formats []caption.Format) (names []string) {
	for _, f := range formats {
		names = append(names, string(f))
	}
	return names
}
