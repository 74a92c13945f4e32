// Package numeral implements English numbers: their words, how digits and whole numbers are spoken, and how figures are
// written, including the digits of other scripts.
//
// It does not interpret numbers: packages formatting, analysis/detect, analysis/entity and eval do.
package numeral

import "strings"

// The names by value: digits from zero, tens from twenty, ordinals from first.
var (
	Digits = strings.Fields("zero one two three four five six seven eight nine")
	teens  = strings.Fields("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
	tens   = strings.Fields("twenty thirty forty fifty sixty seventy eighty ninety")
	scales = strings.Fields("thousand million billion trillion")
	Months = strings.Fields("january february march april may june july august september october november december")

	digitOrdinals = strings.Fields("first second third fourth fifth sixth seventh eighth ninth")
	teenOrdinals  = strings.Fields(
		`tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth
		nineteenth`)
	tensOrdinals = strings.Fields("twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth")
	decades      = strings.Fields("twenties thirties forties fifties sixties seventies eighties nineties")
)
