// Package storable says which texts can be kept: those that every database takes.
//
// It does not say how long they may be, or what is told about others: that is for whoever reads them.
package storable

import (
	"strings"
	"unicode/utf8"
)

// Text reports whether a text can be kept and looked for: PostgreSQL refuses the character U+0000 and what is not
// UTF-8.
func Text(text string) bool { return utf8.ValidString(text) && !strings.Contains(text, "\x00") }

// Of returns what of a text can be kept.
func Of(text string) string { return strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "") }
