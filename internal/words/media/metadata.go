package media

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
	"parley/internal/words/storable"
)

// Limits of metadata.
const (
	MaxMetadataBytes = 1 << 20                  // as stored
	MaxMetadataSent  = MaxMetadataBytes + 4<<10 // including the links that clients send back
	MaxExternalID    = 512                      // characters
)

// Metadata is what the client supplied about a recording, stored byte for byte. It is immutable. Its methods accept
// nil, which means no metadata.
type Metadata struct {
	raw []byte // a JSON object, valid when it was accepted
}

// ParseMetadata parses and checks metadata from a client. No bytes, null and an empty list yield nil. Inside, null
// means that a field is not given. A top-level `_links` member is dropped; all else is kept as sent. The error is a
// fault with all problems. Its messages name positions, never values, so that they can be logged.
func ParseMetadata(raw []byte) (*Metadata, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	root, err := jsondoc.Parse(raw, metadataLimits)
	if errors.Is(err, jsondoc.ErrTooLarge) {
		return nil, fault.New(fault.TooLarge, fault.CodeTooLarge, "metadata: %w", err)
	}
	if err != nil {
		return nil, fault.New(fault.Invalid, fault.CodeMetadata, "metadata is invalid JSON: %w", err)
	}
	if root.Absent() {
		return nil, nil
	}
	if err := fault.All(fault.Invalid, metadataProblems(root)); err != nil {
		return nil, err
	}
	kept := root.Without(jsondoc.Links)
	if len(kept) > MaxMetadataBytes {
		return nil, fault.New(fault.TooLarge, fault.CodeTooLarge, "the metadata has %d bytes; the maximum is %d",
			len(kept), MaxMetadataBytes)
	}
	return &Metadata{raw: kept}, nil
}

// StoredMetadata returns metadata from bytes that ParseMetadata of any program version accepted; nil for no bytes. It
// does not check them again.
func StoredMetadata(raw []byte) *Metadata {
	if len(raw) == 0 {
		return nil
	}
	return &Metadata{raw: raw}
}

// Bytes returns the JSON object as sent. The caller must not change it.
func (m *Metadata) Bytes() []byte {
	if m == nil {
		return nil
	}
	return m.raw
}

// ExternalID returns the identifier in the caller's system, "" if none was given.
func (m *Metadata) ExternalID() string { return m.root().Get("externalId").Text() }

// Title returns the title, "" if none was given.
func (m *Metadata) Title() string { return m.root().Get("title").Text() }

// Description returns the description, "" if none was given.
func (m *Metadata) Description() string { return m.root().Get("description").Text() }

// Lookup returns the strings, numbers (as sent) and booleans at a dotted path such as extended.order.id: one for a
// single value, all elements for a list. It also finds keys that contain dots.
func (m *Metadata) Lookup(path string) []string {
	var all []string
	for _, v := range find(m.root(), strings.Split(path, ".")) {
		all = append(all, texts(v)[0])
	}
	return all
}

func (m *Metadata) root() *jsondoc.Value {
	root, err := jsondoc.Parse(m.Bytes(), storedLimits)
	if err != nil {
		return nil
	}
	return root
}

var (
	metadataLimits = jsondoc.Limits{Bytes: MaxMetadataSent, Depth: 100, Values: 100_000}
	storedLimits   = jsondoc.Limits{Bytes: 1 << 30, Depth: 10_000, Values: 1 << 30}
	metadataShape  = jsondoc.Open(
		jsondoc.Field{Name: "title", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "description", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "externalId", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "externalVersion", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "extended", Shape: jsondoc.Open()},
		jsondoc.Field{Name: "callDetails", Shape: jsondoc.Open(
			jsondoc.Field{Name: "agent", Shape: person()},
			jsondoc.Field{Name: "agentSupervisor", Shape: person()},
			jsondoc.Field{Name: "agentManager", Shape: person()},
			jsondoc.Field{Name: "caller", Shape: person()},
			jsondoc.Field{Name: "callDirection", Shape: jsondoc.Text()},
			jsondoc.Field{Name: "ani", Shape: jsondoc.Text()},
			jsondoc.Field{Name: "dnis", Shape: jsondoc.Text()},
			jsondoc.Field{Name: "callStartTime", Shape: jsondoc.Text()},
		).OrBlank()},
	)
)

// MetadataFields lists the predefined metadata fields as dotted paths. It does not include extended, which holds the
// caller's own fields.
func MetadataFields() []string {
	return slices.DeleteFunc(metadataShape.Paths(), func(path string) bool { return path == "extended" })
}

func person() jsondoc.Shape {
	return jsondoc.Open(
		jsondoc.Field{Name: "externalId", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "fullName", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "email", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "phone", Shape: jsondoc.Text()},
	).OrBlank()
}

func metadataProblems(root *jsondoc.Value) []fault.Problem {
	problems := jsondoc.Check(root, metadataShape, jsondoc.Codes{Type: fault.CodeMetadata, Private: true, Kept: true})
	for _, v := range root.Repeated() {
		problems = append(problems, jsondoc.At(v, fault.CodeDuplicateMetadata,
			"the field is given twice; keep one of them"))
	}
	problems = append(problems, externalIDProblems(root.Get("externalId"))...)
	return append(problems, callProblems(root.Get("callDetails"))...)
}

func externalIDProblems(v *jsondoc.Value) []fault.Problem {
	if v.Kind() != jsondoc.String {
		return nil
	}
	if strings.TrimSpace(v.Text()) == "" {
		return []fault.Problem{jsondoc.At(v, fault.CodeExternalIDEmpty,
			"is empty; use 1 to %d characters or omit it", MaxExternalID)}
	}
	if !storable.Text(v.Text()) {
		return []fault.Problem{jsondoc.At(v, fault.CodeMetadata,
			"contains the character U+0000, which is not allowed; remove it")}
	}
	if n := utf8.RuneCountInString(v.Text()); n > MaxExternalID {
		return []fault.Problem{jsondoc.At(v, fault.CodeExternalIDTooLong, "has %d characters; the maximum is %d", n,
			MaxExternalID)}
	}
	return nil
}

func callProblems(call *jsondoc.Value) []fault.Problem {
	var problems []fault.Problem
	add := func(v *jsondoc.Value, remedy string) {
		problems = append(problems, jsondoc.At(v, fault.CodeMetadata, "%s, or leave it blank", remedy))
	}
	direction := call.Get("callDirection")
	if text := direction.Text(); strings.TrimSpace(text) != "" && text != "Inbound" && text != "Outbound" {
		add(direction, `write exactly "Inbound" or "Outbound"`)
	}
	start := call.Get("callStartTime")
	if text := strings.TrimSpace(start.Text()); text != "" {
		if _, err := parseInstant(start.Text()); err != nil {
			add(start, fmt.Sprintf("write an ISO 8601 time such as 2026-11-20T07:15:02Z (%v)", err))
		}
	}
	return problems
}
