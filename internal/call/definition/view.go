package definition

import (
	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
)

// Limits of a view.
const (
	MaxView   = 16 << 10 // bytes
	viewDepth = 8
	viewMost  = 1000 // values
)

// View describes how a page shows an answer: a JSON object as sent, which the server does not interpret; nil: none.
type View []byte

// view reads a view. Every key is kept, so that pages of later versions find theirs.
func (c *checker) view(v *jsondoc.Value, code int) View {
	if v.Kind() != jsondoc.Object {
		return nil // absent, or already reported
	}
	_, err := jsondoc.Parse(v.Bytes(), jsondoc.Limits{Bytes: MaxView, Depth: viewDepth, Values: viewMost})
	if err != nil {
		c.refuse(v, code, "%v; shorten the view", err)
	}
	for _, m := range v.Repeated() {
		c.refuse(m, fault.CodeDuplicateProperty, "the property is given twice; keep one of them")
	}
	return View(v.Bytes())
}
