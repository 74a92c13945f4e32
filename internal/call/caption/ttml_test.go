package caption

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"testing"
)

const (
	tt  = "http://www.w3.org/ns/ttml"
	ttm = tt + "#metadata"
	ttp = tt + "#parameter"
	xm  = "http://www.w3.org/XML/1998/namespace"
)

// ttml is the part of the TTML 1.0 schema that captions use: the allowed children and attributes of each element.
var ttml = map[xml.Name]struct{ children, attributes []xml.Name }{
	{}: {children: []xml.Name{{Space: tt, Local: "tt"}}},
	{Space: tt, Local: "tt"}: {[]xml.Name{{Space: tt, Local: "head"}, {Space: tt, Local: "body"}},
		[]xml.Name{{Space: xm, Local: "lang"}, {Space: ttp, Local: "timeBase"}}},
	{Space: tt, Local: "head"}:     {children: []xml.Name{{Space: tt, Local: "metadata"}}},
	{Space: tt, Local: "metadata"}: {children: []xml.Name{{Space: ttm, Local: "agent"}}},
	{Space: ttm, Local: "agent"}: {[]xml.Name{{Space: ttm, Local: "name"}},
		[]xml.Name{{Local: "type"}, {Space: xm, Local: "id"}}},
	{Space: ttm, Local: "name"}: {attributes: []xml.Name{{Local: "type"}}},
	{Space: tt, Local: "body"}:  {children: []xml.Name{{Space: tt, Local: "div"}}},
	{Space: tt, Local: "div"}:   {children: []xml.Name{{Space: tt, Local: "p"}}},
	{Space: tt, Local: "p"}: {[]xml.Name{{Space: tt, Local: "br"}},
		[]xml.Name{{Local: "begin"}, {Local: "end"}, {Space: ttm, Local: "agent"}}},
	{Space: tt, Local: "br"}: {},
}

var clockTime = regexp.MustCompile(`^\d{2,}:[0-5]\d:[0-5]\d\.\d{3}$`)

// checkTTML fails the test unless doc is well-formed, conforms to ttml, and refers only to existing agents.
func checkTTML(t interface {
	Helper()
	Fatalf(string, ...any)
}, doc []byte) {
	t.Helper()
	stack, agents := []xml.Name{{}}, map[string]bool{}
	for d := xml.NewDecoder(bytes.NewReader(doc)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) && len(stack) == 1 {
			return
		}
		if err != nil {
			t.Fatalf("not XML: %v\n%s", err, doc)
		}
		switch e := token.(type) {
		case xml.StartElement:
			if !slices.Contains(ttml[stack[len(stack)-1]].children, e.Name) {
				t.Fatalf("%v inside %v", e.Name, stack[len(stack)-1])
			}
			for _, a := range e.Attr {
				checkAttribute(t, e.Name, a, agents)
			}
			stack = append(stack, e.Name)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		}
	}
}

func checkAttribute(t interface{ Fatalf(string, ...any) }, element xml.Name, a xml.Attr, agents map[string]bool) {
	switch {
	case a.Name.Space == "xmlns" || a.Name == xml.Name{Local: "xmlns"}:
	case !slices.Contains(ttml[element].attributes, a.Name):
		t.Fatalf("attribute %v of %v", a.Name, element)
	case a.Name == xml.Name{Space: xm, Local: "id"}:
		agents[a.Value] = true
	case a.Name == xml.Name{Space: ttm, Local: "agent"} && !agents[a.Value]:
		t.Fatalf("no agent %q", a.Value)
	case (a.Name.Local == "begin" || a.Name.Local == "end") && !clockTime.MatchString(a.Value):
		t.Fatalf("%s is no clock time: %q", a.Name.Local, a.Value)
	}
}

func TestDFXPFollowsTheSchema(t *testing.T) {
	checkTTML(t, Render(call(), DFXP))
	checkTTML(t, Render(mono(), DFXP))
}
