// Package storable checks which texts every supported database can store.
//
// It does not limit their length or report errors: its callers do.
package storable

import (
	"strings"
	"unicode/utf8"
)

// Text reports whether a text can be stored and searched for: PostgreSQL refuses the character U+0000 and invalid
// UTF-8.
func Text(text string) bool { return utf8.ValidString(text) && !strings.Contains(text, "\x00") }

// Of returns the text without U+0000, with invalid UTF-8 removed.
func Of(text string) string { return strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "") }
