package media

import (
	"math"
	"strings"

	"parley/internal/words/jsondoc"
)

// Leaf is a metadata value other than an object, with the keys that lead to it.
type Leaf struct {
	Path   []string
	Kind   LeafKind
	Text   string // of strings; of lists, the texts of the elements joined with commas
	Number float64
	Truth  bool
}

// LeafKind is the type of a Leaf.
type LeafKind uint8

// The kinds.
const (
	TextLeaf LeafKind = iota // also numbers too large for a float64
	NumberLeaf
	TruthLeaf
)

// Leaves returns the values of the metadata in order, at most most of them. It skips null and empty lists.
func (m *Metadata) Leaves(most int) []Leaf {
	var all []Leaf
	var walk func(v *jsondoc.Value, path []string)
	walk = func(v *jsondoc.Value, path []string) {
		for _, member := range v.Members() {
			if len(all) >= most {
				return
			}
			here := append(path[:len(path):len(path)], member.Name())
			if member.Kind() == jsondoc.Object {
				walk(member, here)
			} else if leaf, ok := leafOf(member); ok {
				leaf.Path = here
				all = append(all, leaf)
			}
		}
	}
	walk(m.root(), nil)
	return all
}

func leafOf(v *jsondoc.Value) (l Leaf, ok bool) {
	switch v.Kind() {
	case jsondoc.String:
		return Leaf{Text: v.Text()}, true
	case jsondoc.Number:
		if math.IsInf(v.Float(), 0) {
			return Leaf{Text: texts(v)[0]}, true
		}
		return Leaf{Kind: NumberLeaf, Number: v.Float()}, true
	case jsondoc.Bool:
		return Leaf{Kind: TruthLeaf, Truth: v.Bool()}, true
	case jsondoc.Array:
		var some []string
		for _, item := range v.Items() {
			if item.Kind() != jsondoc.Object && item.Kind() != jsondoc.Array && item.Kind() != jsondoc.Null {
				some = append(some, texts(item)[0])
			}
		}
		return Leaf{Text: strings.Join(some, ", ")}, len(some) > 0
	}
	return l, false
}
