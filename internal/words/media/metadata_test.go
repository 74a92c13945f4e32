package media

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"parley/internal/words/fault"
)

func TestMetadataIsKeptByteForByteButForItsLinks(t *testing.T) {
	for sent, kept := range map[string]string{
		`{"title":"t","x":{"y":[1.0,12345678901234567890,null]},"callDetails":{"own":{"deep":[]}}}`: "",
		` {"b":1,"a":2, "extended":{"_links":"mine"}} `:                                             `{"b":1,"a":2, "extended":{"_links":"mine"}}`,
		`{"_links":{"self":{"href":"/v3/media/1/metadata"}},"title":"é\u00e9"}`:                     `{"title":"é\u00e9"}`,
		`{"extended":null,"externalId":null,"title":null,"callDetails":null,"own":[]}`:              "",
		`{"extended":{"a":[]},"callDetails":{"own":[]}}`:                                            "",
	} {
		m, err := ParseMetadata([]byte(sent))
		if err != nil {
			t.Errorf("%s: %v", sent, err)
			continue
		}
		if kept == "" {
			kept = sent
		}
		if string(m.Bytes()) != kept {
			t.Errorf("%s became %s", sent, m.Bytes())
		}
	}
}

func TestNullMetadataIsNone(t *testing.T) {
	for _, sent := range []string{"", "null", "[]", " null\n"} {
		if m, err := ParseMetadata([]byte(sent)); m != nil || err != nil {
			t.Errorf("%s: %v, %v", sent, m, err)
		}
	}
	var none *Metadata
	if none.Bytes() != nil || none.Title() != "" || none.Lookup("title") != nil || StoredMetadata(nil) != nil {
		t.Error("metadata that was not given has content")
	}
}

func TestMetadataFieldsHaveTheirTypes(t *testing.T) {
	long := strings.Repeat("é", MaxExternalID)
	for sent, codes := range map[string][]int{
		`{}`: nil,
		`{"title":"","description":"","extended":{}}`: nil,
		`{"externalId":"` + long + `"}`:               nil,
		`{"externalId":"` + long + `x"}`:              {fault.CodeExternalIDTooLong},
		`{"externalId":""}`:                           {fault.CodeExternalIDEmpty},
		`{"externalId":" "}`:                          {fault.CodeExternalIDEmpty},
		`{"externalId":7}`:                            {fault.CodeMetadata},
		`{"title":1,"description":{},"externalVersion":1.0}`: {fault.CodeMetadata, fault.CodeMetadata,
			fault.CodeMetadata},
		`{"extended":"x"}`:                                {fault.CodeMetadata},
		`{"extended":[1]}`:                                {fault.CodeMetadata},
		`{"title":"a","title":"b"}`:                       {fault.CodeDuplicateMetadata},
		`{"title":[],"externalId":[],"extended":[]}`:      {fault.CodeMetadata, fault.CodeMetadata, fault.CodeMetadata},
		`{"callDetails":[]}`:                              {fault.CodeMetadata},
		`{"callDetails":{"agent":{"email":[]},"ani":[]}}`: {fault.CodeMetadata, fault.CodeMetadata},
		`{"callDetails":{"agent":[],"callDirection":[],"callStartTime":[]},"description":null}`: {fault.CodeMetadata,
			fault.CodeMetadata, fault.CodeMetadata},
		`{"title":[[]],"externalId":[null]}`:            {fault.CodeMetadata, fault.CodeMetadata},
		`{"extended":{"a":{"b":1,"b":null}}}`:           {fault.CodeDuplicateMetadata},
		`{"callDetails":"x"}`:                           {fault.CodeMetadata},
		`{"callDetails":{"agent":{"fullName":5}}}`:      {fault.CodeMetadata},
		`{"callDetails":{"agent":"Ann"}}`:               {fault.CodeMetadata},
		`{"callDetails":{"ani":15551234567}}`:           {fault.CodeMetadata},
		`{"callDetails":{"callDirection":"Inbound"}}`:   nil,
		`{"callDetails":{"callDirection":"Outbound"}}`:  nil,
		`{"callDetails":{"callDirection":"inbound"}}`:   {fault.CodeMetadata},
		`{"callDetails":{"callDirection":"Sideways"}}`:  {fault.CodeMetadata},
		`{"callDetails":{"callStartTime":"yesterday"}}`: {fault.CodeMetadata},
		`{"callDetails":{"callStartTime":1763622902}}`:  {fault.CodeMetadata},
		`{"callDetails":{"agent":{},"agentSupervisor":null,"agentManager":"","caller":{"email":"","phone":null,"more":1},"callDirection":"","ani":null,"dnis":"","callStartTime":" "}}`: nil,
		`"text"`:                   {fault.CodeMetadata},
		`[{}]`:                     {fault.CodeMetadata},
		`{"title":"a`:              {fault.CodeMetadata},
		` `:                        {fault.CodeMetadata},
		`{"externalId":"a\u0000"}`: {fault.CodeMetadata},
	} {
		_, err := ParseMetadata([]byte(sent))
		var got []int
		if err != nil {
			for _, p := range fault.ProblemsOf(err) {
				got = append(got, p.Code)
			}
		}
		if !slices.Equal(got, codes) {
			t.Errorf("%.80s: %v, codes %v, want %v", sent, err, got, codes)
		}
	}
}

func TestMetadataOverItsLimitIsTooLarge(t *testing.T) {
	_, err := ParseMetadata([]byte(`{"title":"` + strings.Repeat("x", MaxMetadataBytes) + `"}`))
	if !fault.Is(err, fault.TooLarge) {
		t.Errorf("error is %v", err)
	}
}

func TestMetadataValuesStayOutOfErrors(t *testing.T) {
	_, err := ParseMetadata([]byte(
		`{"externalId":["4111"],"callDetails":{"ani":4111,"callStartTime":"4111","callDirection":"4111"},"extended":4111}`))
	if n := len(fault.ProblemsOf(err)); n != 5 || strings.Contains(err.Error(), "4111") {
		t.Errorf("%d problems: %v", n, err)
	}
}

func TestCallStartTimeIsISO8601(t *testing.T) {
	for text, want := range map[string]string{
		"2026-11-20T07:15:02.134Z":         "2026-11-20T07:15:02.134Z",
		"2026-11-20T07:15:02Z":             "2026-11-20T07:15:02Z",
		"2026-11-20T07:15:02.00000000199Z": "2026-11-20T07:15:02.000000001Z",
		"2026-11-20T07:15:02,5Z":           "2026-11-20T07:15:02.5Z",
		"2026-11-20T07:15:02":              "2026-11-20T07:15:02Z",
		"2026-11-20T07:15:02+01:00":        "2026-11-20T06:15:02Z",
		"2026-11-20T07:15:02-0800":         "2026-11-20T15:15:02Z", // mixed, as many programs write it
		"2026-11-20T07:15:02-08":           "2026-11-20T15:15:02Z",
		"2026-11-20T07:15Z":                "2026-11-20T07:15:00Z",
		"2026-11-20T07.5Z":                 "2026-11-20T07:30:00Z",
		"2026-11-20T07Z":                   "2026-11-20T07:00:00Z",
		"2026-11-20":                       "2026-11-20T00:00:00Z",
		"20261120T071502Z":                 "2026-11-20T07:15:02Z",
		"20261120T071502.25+0530":          "2026-11-20T01:45:02.25Z",
		"20261120":                         "2026-11-20T00:00:00Z",
		"2026-324T07:15:02Z":               "2026-11-20T07:15:02Z",
		"2026-W47-5T07:15:02Z":             "2026-11-20T07:15:02Z",
		"2026W475":                         "2026-11-20T00:00:00Z",
		"2026-11-20T24:00:00Z":             "2026-11-21T00:00:00Z",
		"2016-12-31T23:59:60Z":             "2017-01-01T00:00:00Z",
		"2024-02-29":                       "2024-02-29T00:00:00Z",
		"2020-W53-7":                       "2021-01-03T00:00:00Z",
		"2024-366":                         "2024-12-31T00:00:00Z",
		"2026-02-29":                       "",
		"2026-13-01":                       "",
		"2026-11-00":                       "",
		"2026-366":                         "",
		"2026-W54-1":                       "",
		"2026-W47-8":                       "",
		"2026-11-20T24:00:01Z":             "",
		"2026-11-20T25:00:00Z":             "",
		"2026-11-20T07:60:00Z":             "",
		"2026-11-20T07:15:02+24:00":        "",
		"2026-11-20 07:15:02":              "",
		"2026-11-20t07:15:02z":             "",
		"2026-11-20T07:15:02 Z":            "",
		"20 Nov 2026":                      "",
		"11/20/2026":                       "",
		"2026":                             "",
		"2026-11":                          "",
		"1763622902":                       "",
		"2026-11-20T071502Z":               "",
		"20261120T07:15:02Z":               "",
		"2026-11-20T":                      "",
		"Fri, 20 Nov 2026 07:15:02 GMT":    "",
	} {
		got := ""
		if at, err := parseInstant(text); err == nil {
			got = at.UTC().Format("2006-01-02T15:04:05.999999999Z")
		}
		if got != want {
			t.Errorf("%s reads %q, want %q", text, got, want)
		}
	}
}

func TestLookupFollowsDots(t *testing.T) {
	m, err := ParseMetadata([]byte(
		`{"externalId":"e","title":"t","description":"d","extended":{"order":{"id":1.0,"tags":["a",2,true,null,["deep"]]},"a.b":{"c":"dotted"},"none":null},"callDetails":{"agent":{"fullName":"Ann"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string][]string{
		"extended.order.id":          {"1.0"},
		"extended.order.tags":        {"a", "2", "true"},
		"extended.a.b.c":             {"dotted"},
		"callDetails.agent.fullName": {"Ann"},
		"extended.order":             nil,
		"extended.none":              nil,
		"extended.order.id.x":        nil,
		"":                           nil,
	} {
		if got := m.Lookup(path); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	if m.ExternalID() != "e" || m.Title() != "t" || m.Description() != "d" {
		t.Error("a named field reads wrong")
	}
}

// FuzzParseMetadata checks that accepted metadata is a JSON object, and is accepted again unchanged.
func FuzzParseMetadata(f *testing.F) {
	f.Add([]byte(`{"_links":1,"callDetails":{"callStartTime":"2026-W47-5"},"extended":{"a":[{}]}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := ParseMetadata(raw)
		if err != nil || m == nil {
			return
		}
		var object map[string]any
		if json.Unmarshal(m.Bytes(), &object) != nil {
			t.Fatalf("kept %q", m.Bytes())
		}
		again, err := ParseMetadata(m.Bytes())
		if err != nil || !bytes.Equal(again.Bytes(), m.Bytes()) {
			t.Fatalf("%q read again: %v", m.Bytes(), err)
		}
		m.Lookup("extended.a")
	})
}
