package definition

import (
	"encoding/json"

	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
)

// Preset is a saved upload configuration.
type Preset struct {
	Name          string
	Description   string
	Configuration []byte // a JSON object, as sent
}

// Limits of the JSON of a preset: those of a configuration, in an object.
const (
	presetValues = 200_010
	presetDepth  = 33
)

// presetFormat lists every key of a preset. Answers contain the dates, so clients may send them back.
var presetFormat = format{
	what: "preset", example: `{"configuration":{"publish":{"enableAnalyticIndexing":true}}}`,
	values: presetValues, depth: presetDepth, code: fault.CodePreset, nameKey: "presetName", nameCode: fault.CodePreset,
	shape: jsondoc.Fields(
		jsondoc.Field{Name: "presetName", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "presetDescription", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "configuration", Shape: jsondoc.Open()},
		jsondoc.Field{Name: "dateCreated", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "dateModified", Shape: jsondoc.Text()},
	),
}

// ParsePreset parses a preset to be saved under a name. The error is a fault of kind Invalid with all problems except
// those of the configuration, which the caller checks. The preset has the configuration even if there is an error, so
// that all problems can be reported together; it is nil if there is none.
func ParsePreset(name string, sent []byte) (Preset, error) {
	c := &checker{}
	root := c.parse(presetFormat, name, sent)
	p := Preset{Name: name, Description: c.text(root.Get("presetDescription"), fault.CodePreset, MaxDescription)}
	switch v := root.Sent("configuration"); {
	case v.Kind() == jsondoc.Object:
		p.Configuration = v.Bytes()
	case root != nil && v.Absent():
		c.problems = append(c.problems, fault.Problem{Code: fault.CodePreset,
			Message: "/configuration is missing; send the configuration of an upload, or {} for the defaults"})
	}
	return p, fault.All(fault.Invalid, c.problems)
}

// HasCallbacks reports whether recordings that are sent with the preset are delivered to callbacks.
func (p Preset) HasCallbacks() bool { return len(addresses(p.document())) > 0 }

// WithAddresses returns the preset with other callback addresses.
func (p Preset) WithAddresses(other func(address string) string) Preset {
	root := p.document()
	p.Configuration = root.Replaced(addresses(root), func(v *jsondoc.Value) []byte {
		text, _ := json.Marshal(other(v.Text())) // a text is always valid
		return text
	})
	return p
}

// document returns the configuration, which was valid when it was saved.
func (p Preset) document() *jsondoc.Value {
	root, err := jsondoc.Parse(p.Configuration,
		jsondoc.Limits{Bytes: MaxBytes, Depth: presetDepth, Values: presetValues})
	if err != nil {
		return nil
	}
	return root
}

// addresses returns the callback addresses of a configuration in the order of the document.
func addresses(configuration *jsondoc.Value) (all []*jsondoc.Value) {
	for _, callback := range configuration.Get("publish", "callbacks").Items() {
		if url := callback.Get("url"); url != nil {
			all = append(all, url)
		}
	}
	return all
}
