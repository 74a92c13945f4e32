// Package numeral has the English names of numbers and months.
//
// It neither reads nor writes numbers: packages formatting and analysis/detect do.
package numeral

import "strings"

// The names; a name stands at its value, or at a tenth of it in lists of tens. A hyphen stands where there is none.
var (
	Digits = strings.Fields("zero one two three four five six seven eight nine")
	Teens  = strings.Fields("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen") // from 10 on
	Tens   = strings.Fields("- - twenty thirty forty fifty sixty seventy eighty ninety")
	Scales = []string{"thousand", "million", "billion", "trillion"}
	Months = strings.Fields("january february march april may june july august september october november december") // from 1 on

	DigitOrdinals = strings.Fields("- first second third fourth fifth sixth seventh eighth ninth")
	TeenOrdinals  = strings.Fields("tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth")
	TensOrdinals  = strings.Fields("- - twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth")
	Decades       = strings.Fields("- - twenties thirties forties fifties sixties seventies eighties nineties")
)
