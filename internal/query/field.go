package query

import (
	"slices"
	"strings"
)

// Space is the family of a field.
type Space uint8

// The spaces.
const (
	Media      Space = iota // of the recording itself
	Metadata                // metadata:key:key…, the keys as they are written
	Metrics                 // metrics:"name"
	Categories              // categories:"name", 0 or 1
	Spotting                // spotting:"group"
	Prediction              // prediction:"classifier"
)

var spaceNames = [...]string{"", "metadata", "metrics", "categories", "spotting", "prediction"}

// Known reports whether it is one of the spaces.
func (s Space) Known() bool { return int(s) < len(spaceNames) }

// Type is the statically known type of a field's values.
type Type uint8

// The types.
const (
	Untyped Type = iota
	IsNumber
	IsText
	IsInstant
)

// Field identifies a value of a call. Path is one name, several for metadata, or empty for all of the metadata.
type Field struct {
	Space Space
	Path  []string
}

// MediaField is a field of the recording itself.
type MediaField struct {
	Name string
	Type Type
}

// MediaFields are the fields of the space Media, in documented order.
var MediaFields = []MediaField{
	{"mediaId", IsText}, {"dateCreated", IsInstant}, {"dateFinished", IsInstant}, {"length", IsNumber},
	{"wordCount", IsNumber}, {"turnCount", IsNumber}, {"interactionType", IsText}, {"status", IsText},
	{"mediaContentType", IsText}, {"externalId", IsText}, {"title", IsText}, {"description", IsText},
	{"language", IsText},
}

// mediaNames are the names of MediaFields.
var mediaNames = mapped(MediaFields, func(f MediaField) string { return f.Name })

// callSentiment is the metric behind the field sentiment.
const callSentiment = "call-sentiment"

// Type returns the type of a field.
func (f Field) Type() Type {
	switch f.Space {
	case Media:
		if i := slices.Index(mediaNames, f.Path[0]); i >= 0 {
			return MediaFields[i].Type
		}
	case Metrics, Categories, Spotting:
		return IsNumber
	}
	return Untyped
}

// canonical returns the entry of names that equals name without regard to case.
func canonical(names []string, name string) (string, bool) {
	i := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
	if i < 0 {
		return "", false
	}
	return names[i], true
}

// simple returns the names that a field may begin with.
func simple() []string {
	return slices.Concat([]string{"sentiment"}, spaceNames[1:], mediaNames)
}
