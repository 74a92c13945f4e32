package record

import (
	"os"
	"reflect"
	"testing"

	"parley/internal/definition"
)

// What the golden files of definitions hold: every field is set, so that none can be renamed unseen.
var (
	knownGroup  = definition.Group{Name: "cancellation", Keywords: []string{"cancel my account", "größer"}}
	knownFields = definition.SearchFields{"extended.campaignId", "title"}
)

func TestKeywordGroupsAndSearchFieldsOfVersion1StayReadable(t *testing.T) {
	c := codec(t)
	if os.Getenv("PARLEY_GOLDEN") == "write" {
		write(t, "group.v1", c.EncodeGroup(knownGroup))
		write(t, "fields.v1", c.EncodeSearchFields(knownFields))
	}
	if got, err := c.DecodeGroup(read(t, "group.v1")); err != nil || !reflect.DeepEqual(got, knownGroup) {
		t.Errorf("%v, %+v", err, got)
	}
	if got, err := c.DecodeSearchFields(read(t, "fields.v1")); err != nil || !reflect.DeepEqual(got, knownFields) {
		t.Errorf("%v, %+v", err, got)
	}
}

func TestEmptyGroupsAndFieldsStayEmpty(t *testing.T) {
	c := codec(t)
	if g, err := c.DecodeGroup(c.EncodeGroup(definition.Group{Name: "x"})); err != nil || g.Name != "x" || g.Keywords != nil {
		t.Errorf("%v, %+v", err, g)
	}
	if f, err := c.DecodeSearchFields(c.EncodeSearchFields(nil)); err != nil || len(f) != 0 {
		t.Errorf("%v, %+v", err, f)
	}
}

func TestOnlyTheirRecordsAreReadAsGroupsAndFields(t *testing.T) {
	c := codec(t)
	for _, data := range [][]byte{
		nil, read(t, "vocabulary.v1"), c.seal(groupKind, groupVersion+1, []byte("{}")), c.seal(groupKind, 1, []byte("[")),
		c.seal(fieldsKind, fieldsVersion+1, []byte("{}")), c.seal(fieldsKind, 1, []byte("[")),
	} {
		if g, err := c.DecodeGroup(data); err == nil {
			t.Errorf("%q is read as %+v", data, g)
		}
		if f, err := c.DecodeSearchFields(data); err == nil {
			t.Errorf("%q is read as %+v", data, f)
		}
	}
}
