package bundle

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Wire is the file of the types of the API, seen from the root of the module.
const Wire = "web/src/kit/wire.ts"

// schema is what the types need of a schema of an OpenAPI description.
type schema struct {
	Ref        string             `yaml:"$ref"`
	Type       string             `yaml:"type"`
	Nullable   bool               `yaml:"nullable"`
	Enum       []any              `yaml:"enum"`
	Items      *schema            `yaml:"items"`
	Properties map[string]*schema `yaml:"properties"`
	Required   []string           `yaml:"required"`
	Additional yaml.Node          `yaml:"additionalProperties"`
	AllOf      []*schema          `yaml:"allOf"`
	OneOf      []*schema          `yaml:"oneOf"`
	AnyOf      []*schema          `yaml:"anyOf"`
}

// Types returns a TypeScript declaration of each schema of an OpenAPI description, in alphabetical order.
func Types(description []byte) ([]byte, error) {
	var doc struct {
		Components struct {
			Schemas map[string]*schema `yaml:"schemas"`
		} `yaml:"components"`
	}
	if err := yaml.Unmarshal(description, &doc); err != nil {
		return nil, err
	}
	var b strings.Builder
	b.WriteString("// Made from api/openapi.yaml by make web. Do not edit.\n")
	for _, name := range slices.Sorted(maps.Keys(doc.Components.Schemas)) {
		text, err := doc.Components.Schemas[name].typed("")
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(&b, "\nexport type %s = %s;\n", name, text)
	}
	return []byte(b.String()), nil
}

// typed returns the type of a schema. Continued lines start with the indentation.
func (s *schema) typed(indent string) (string, error) {
	text, err := s.plain(indent)
	if err == nil && s.Nullable {
		text += " | null"
	}
	return text, err
}

func (s *schema) plain(indent string) (string, error) {
	switch {
	case s.Ref != "":
		return s.Ref[strings.LastIndex(s.Ref, "/")+1:], nil
	case len(s.AllOf) > 0:
		return join(s.AllOf, " & ", indent)
	case len(s.OneOf) > 0:
		return join(s.OneOf, " | ", indent)
	case len(s.Enum) > 0:
		return enumerated(s.Enum), nil
	case s.Type == "array":
		return s.list(indent)
	case s.Type == "object" || len(s.Properties) > 0:
		return s.object(indent)
	case len(s.AnyOf) > 0:
		return join(s.AnyOf, " | ", indent)
	case s.Type == "integer" || s.Type == "number":
		return "number", nil
	case s.Type == "string" || s.Type == "boolean":
		return s.Type, nil
	}
	return "unknown", nil
}

func join(parts []*schema, sign, indent string) (string, error) {
	var texts []string
	for _, p := range parts {
		text, err := p.typed(indent)
		if err != nil {
			return "", err
		}
		if strings.Contains(text, " | ") && sign != " | " {
			text = "(" + text + ")"
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, sign), nil
}

func enumerated(values []any) string {
	var texts []string
	for _, v := range values {
		if text, ok := v.(string); ok {
			texts = append(texts, strconv.Quote(text))
		} else {
			texts = append(texts, fmt.Sprint(v))
		}
	}
	return strings.Join(texts, " | ")
}

func (s *schema) list(indent string) (string, error) {
	if s.Items == nil {
		return "unknown[]", nil
	}
	text, err := s.Items.typed(indent)
	if strings.ContainsAny(text, "|&") && !strings.HasPrefix(text, "{") {
		return "(" + text + ")[]", err
	}
	return text + "[]", err
}

func (s *schema) object(indent string) (string, error) {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		text, err := s.Properties[name].typed(indent + "\t")
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		mark := "?"
		if slices.Contains(s.Required, name) {
			mark = ""
		}
		fmt.Fprintf(&b, "%s\t%s%s: %s;\n", indent, key(name), mark, text)
	}
	if b.Len() > 0 {
		return "{\n" + b.String() + indent + "}", nil
	}
	switch s.Additional.Kind {
	case yaml.MappingNode:
		var of schema
		if err := s.Additional.Decode(&of); err != nil {
			return "", err
		}
		text, err := of.typed(indent)
		return "Record<string, " + text + ">", err
	default:
		return "Record<string, unknown>", nil
	}
}

// key returns the name of a property, in quotation marks where it is not an identifier.
func key(name string) string {
	for i, r := range name {
		letter := r == '_' || r == '$' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return strconv.Quote(name)
		}
	}
	return name
}
