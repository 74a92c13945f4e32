package media

import (
	"fmt"
	"math/big"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestValuesAreFoundByTheirTexts(t *testing.T) {
	m, err := ParseMetadata([]byte(
		`{"title":"A","extended":{"n":1.50,"big":12345678901234567890,"small":-2.5e-3,"zero":-0.0,"e":1E2,"huge":1e999,"t":true,
		"list":["x","x",2,2.0,null,["deep"],{"id":"in"}],"orders":[{"id":1},{"id":"b"},{"other":3}],"a.b":{"c":"dotted"},"a":{"d":"nested"},"":"unnamed",
		"none":null,"object":{},"nul":"\u0000","blank":""}}`))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"title": "A", "extended.n": "1.50 1.5", "extended.big": "12345678901234567890",
		"extended.small": "-2.5e-3 -0.0025", "extended.zero": "-0.0 0",
		"extended.e": "1E2 100", "extended.huge": "1e999", "extended.t": "true", "extended.list": "x 2 2.0",
		"extended.list.id":   "in",
		"extended.orders.id": "1 b", "extended.a.b.c": "dotted", "extended.a.d": "nested", "extended.none": "",
		"extended.object": "", "extended": "",
		"extended.n.x": "", "extended.nul": "\x00", "other": "",
	} {
		var got []string
		for _, v := range m.FieldValues([]string{path}) {
			if v.Field != path {
				t.Errorf("%s: %+v", path, v)
			}
			got = append(got, v.Text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	if got := m.FieldValues([]string{"extended.blank"}); len(got) != 1 || got[0].Text != "" {
		t.Errorf("the empty string: %+v", got)
	}
	var none *Metadata
	if got := none.FieldValues([]string{"title"}); got != nil {
		t.Errorf("without metadata: %+v", got)
	}
}

func TestOneItemIsFoundByNoMoreThanSoManyValues(t *testing.T) {
	var list []string
	for i := range MaxFieldValues + 5 {
		list = append(list, fmt.Sprint(i))
	}
	m, err := ParseMetadata([]byte(`{"extended":{"a":[` + strings.Join(list, ",") + `],"b":1}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := m.FieldValues([]string{"extended.a", "extended.b"}); len(got) != MaxFieldValues ||
		got[len(got)-1].Text != fmt.Sprint(MaxFieldValues-1) {
		t.Errorf("%d values", len(got))
	}
}

var jsonNumber = rapid.StringMatching(`-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,2})?`)

func TestShortestNumberIsTheSameNumber(t *testing.T) {
	canonical := regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$`)
	rapid.Check(t, func(t *rapid.T) {
		sent := jsonNumber.Draw(t, "number")
		short := shortest(sent)
		if short == "" {
			if digits := strings.Trim(sent, "-0."); len(digits) < 20 && !strings.ContainsAny(sent, "eE") {
				t.Fatalf("%s has no short form", sent)
			}
			return
		}
		a, _ := new(big.Rat).SetString(sent)
		b, ok := new(big.Rat).SetString(short)
		if !ok || a.Cmp(b) != 0 || !canonical.MatchString(short) || shortest(short) != short {
			t.Fatalf("%s becomes %s", sent, short)
		}
	})
}

func TestCallStartTimesAreTakenAsTheDocumentationSays(t *testing.T) {
	text, err := os.ReadFile("../../../docs/metadata.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (yes|no) \\| (.*) \\|$").FindAllStringSubmatch(string(text), -1)
	if len(rows) < 20 {
		t.Fatalf("the table has %d rows", len(rows))
	}
	for _, row := range rows {
		_, err := ParseMetadata([]byte(`{"callDetails":{"callStartTime":"` + row[1] + `"}}`))
		if (err == nil) != (row[2] == "yes") {
			t.Errorf("%s: %v, documented %s", row[1], err, row[2])
		}
		at, err := parseInstant(row[1])
		if err == nil && at.UTC().Format(time.RFC3339Nano) != row[3] {
			t.Errorf("%s means %s, documented %s", row[1], at, row[3])
		}
	}
}

func TestMetadataOfTheLimitCanBeSentBackWithItsLinks(t *testing.T) {
	links := `"_links":{"self":{"href":"/v3/media/019a9f5e-3c00-7000-8000-0123456789ab/metadata"}},`
	largest := `"title":"` + strings.Repeat("x", MaxMetadataBytes-len(`{"title":""}`)) + `"}`
	m, err := ParseMetadata([]byte("{" + links + largest))
	if err != nil || len(m.Bytes()) != MaxMetadataBytes {
		t.Fatal(err)
	}
	if _, err := ParseMetadata([]byte("{" + strings.Replace(largest, "x", "xx", 1))); err == nil {
		t.Error("one byte more is taken")
	}
}

func TestMetadataIsKeptWhateverItIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sent := `{"extended":` + anyJSON(4).Draw(t, "extended") + `,"own":` + anyJSON(2).Draw(t, "own") + "}"
		if !strings.HasPrefix(sent, `{"extended":{`) {
			sent = strings.Replace(sent, "extended", "else", 1)
		}
		m, err := ParseMetadata([]byte(sent))
		if err != nil || string(m.Bytes()) != sent {
			t.Fatalf("%s: %v, kept %s", sent, err, m.Bytes())
		}
	})
}

// anyJSON generates a document with white space, numbers, escapes and keys of all kinds, without duplicate keys in an
// object.
func anyJSON(depth int) *rapid.Generator[string] {
	text := rapid.SampledFrom([]string{`""`, `"a"`, `"_links"`, `"é\u00e9\ud83d\ude00"`, `"\ud800"`, `"\/\"\\\n"`,
		`"日本 <&> "`, `"0"`})
	leaf := rapid.OneOf(text, jsonNumber,
		rapid.SampledFrom([]string{"null", "true", "false", "{}", "[]", "1.0", "12345678901234567890", "-0", "1E+400"}))
	if depth == 0 {
		return leaf
	}
	return rapid.Custom(func(t *rapid.T) string {
		space := rapid.SampledFrom([]string{"", " ", "\n\t"}).Draw(t, "space")
		values := rapid.SliceOfN(anyJSON(depth-1), 0, 4).Draw(t, "values")
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 0:
			return leaf.Draw(t, "leaf")
		case 1:
			return "[" + space + strings.Join(values, space+","+space) + space + "]"
		}
		keys := rapid.SliceOfNDistinct(
			rapid.SampledFrom([]string{"a", "b", "ключ", "a.b", "", "_links", "A", "\\u0041b"}), len(values),
			len(values), rapid.ID).Draw(t, "keys")
		for i := range values {
			values[i] = `"` + keys[i] + `"` + space + ":" + values[i]
		}
		slices.Reverse(values)
		return "{" + strings.Join(values, ","+space) + space + "}"
	})
}
