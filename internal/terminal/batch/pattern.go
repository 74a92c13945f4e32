package batch

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Pattern extracts metadata from file names.
type Pattern struct {
	text   string
	form   *regexp.Regexp
	fields []string // one path per group of the expression; empty for ignored text
}

// ParsePattern parses a pattern such as {externalId}_{extended.campaign}: text, and metadata paths in braces. {}
// matches text to ignore.
func ParsePattern(text string) (*Pattern, error) {
	p := &Pattern{text: text}
	form := "^"
	for rest := text; ; {
		literal, after, more := strings.Cut(rest, "{")
		if strings.Contains(literal, "}") {
			return nil, fmt.Errorf("the name pattern %q has a } without a {", text)
		}
		if literal == "" && form != "^" && more {
			return nil, fmt.Errorf("the name pattern %q has two adjacent fields; put text between them "+
				"to show where the first one ends", text)
		}
		form += regexp.QuoteMeta(literal)
		if !more {
			break
		}
		path, following, closed := strings.Cut(after, "}")
		if !closed {
			return nil, fmt.Errorf("the name pattern %q has a { without a }", text)
		}
		if path != "" {
			if !isField(path) {
				return nil, fmt.Errorf("the name pattern %q: %q is not a metadata field; %s", text, path,
					fieldsAre())
			}
			if other, clashes := clash(p.fields, path); clashes {
				return nil, fmt.Errorf("in the name pattern %q, the fields {%s} and {%s} conflict: one is inside the other", text,
					path, other)
			}
			if slices.Contains(p.fields, path) {
				return nil, fmt.Errorf("the name pattern %q has {%s} twice", text, path)
			}
		}
		p.fields = append(p.fields, path)
		form += "(.+?)"
		rest = following
	}
	if len(p.fields) == 0 {
		return nil, fmt.Errorf("the name pattern %q has no field; write metadata paths in braces, such as "+
			"{externalId}_{extended.campaign}", text)
	}
	var err error
	p.form, err = regexp.Compile(form + "$")
	return p, err
}

// read extracts metadata from the name of a file, without its extension.
func (p *Pattern) read(path string) ([]byte, error) {
	base := filepath.Base(path)
	name := strings.TrimSuffix(base, filepath.Ext(base))
	found := p.form.FindStringSubmatch(name)
	if found == nil {
		return nil, fmt.Errorf("%s: the name %q does not match the pattern %s", path, name, p.text)
	}
	known := []byte("{}")
	for i, value := range found[1:] {
		if p.fields[i] == "" {
			continue
		}
		if p.fields[i] == startTime {
			value = instant(value)
		}
		var err error
		if known, err = (field{p.fields[i], value}).add(known); err != nil {
			return nil, fmt.Errorf("%s: %s %q: %w", path, p.fields[i], value, err)
		}
	}
	return known, nil
}

// startTime is the field whose value file names usually cannot spell, since they have no colons.
const startTime = "callDetails.callStartTime"

var plainInstant = regexp.MustCompile(
	`^(\d{4})[-_.]?(\d\d)[-_.]?(\d\d)[-_.T ]?(\d\d)[-_.h]?(\d\d)(?:[-_.m]?(\d\d))?(Z?)$`)

// instant converts a date and time without colons, such as 20261120-071502, to ISO 8601; it returns other texts
// unchanged.
func instant(text string) string {
	m := plainInstant.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	m[6] = cmp.Or(m[6], "00")
	return fmt.Sprintf("%s-%s-%sT%s:%s:%s%s", m[1], m[2], m[3], m[4], m[5], m[6], m[7])
}
