package media

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"parley/internal/words/jsondoc"
)

// MaxFieldValues bounds the indexed metadata values of one item, so that one item cannot fill an index.
const MaxFieldValues = 1000

// FieldValue is a metadata value, as named by filters.
type FieldValue struct {
	Field string // dotted path, such as extended.campaignId
	Text  string
}

// FieldValues returns the search texts of the values at dotted paths, without duplicates: a string as it is, true and
// false by name, a number as sent and in its shortest decimal form (1.50 as 1.50 and 1.5). Every element of a list
// counts. It returns at most MaxFieldValues, in the order of the paths.
func (m *Metadata) FieldValues(paths []string) []FieldValue {
	root := m.root()
	seen := map[FieldValue]bool{}
	var all []FieldValue
	for _, path := range paths {
		for _, v := range find(root, strings.Split(path, ".")) {
			for _, text := range texts(v) {
				f := FieldValue{path, text}
				if seen[f] || len(all) == MaxFieldValues {
					continue
				}
				seen[f] = true
				all = append(all, f)
			}
		}
	}
	return all
}

// texts returns the search texts of a scalar.
func texts(v *jsondoc.Value) []string {
	if v.Kind() == jsondoc.String {
		return []string{v.Text()}
	}
	sent := string(v.Bytes())
	all := []string{sent}
	if short := shortest(sent); v.Kind() == jsondoc.Number && short != "" && short != sent {
		all = append(all, short)
	}
	return all
}

// longestNumber bounds the digits of a number's decimal form.
const longestNumber = 64

// shortest returns a JSON number in decimal notation without exponent or redundant zeros, "" if that is too long.
func shortest(number string) string {
	mantissa, power, _ := strings.Cut(strings.ToLower(number), "e")
	exponent, err := strconv.Atoi(cmp.Or(power, "0"))
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	point := len(digits) - len(fraction) // digits before the point
	digits = strings.TrimRight(digits, "0")
	if digits == "" {
		return "0"
	}
	if err != nil || len(digits) > longestNumber || max(exponent, -exponent) > 2*longestNumber+len(number) {
		return ""
	}
	if point += exponent; max(point, -point) > longestNumber {
		return ""
	}
	text := decimal(digits, point)
	if negative {
		return "-" + text
	}
	return text
}

// decimal inserts a decimal point after the first point digits; point may be negative or exceed the number of digits.
func decimal(digits string, point int) string {
	switch {
	case point <= 0:
		return "0." + strings.Repeat("0", -point) + digits
	case point >= len(digits):
		return digits + strings.Repeat("0", point-len(digits))
	}
	return digits[:point] + "." + digits[point:]
}

// find returns the scalars at a path of keys; keys may contain dots. A list on the path stands for each of its
// elements; nested lists are not searched.
func find(v *jsondoc.Value, steps []string) []*jsondoc.Value {
	switch v.Kind() {
	case jsondoc.Array:
		var all []*jsondoc.Value
		for _, item := range v.Items() {
			if item.Kind() != jsondoc.Array {
				all = append(all, find(item, steps)...)
			}
		}
		return all
	case jsondoc.String, jsondoc.Number, jsondoc.Bool:
		if len(steps) == 0 {
			return []*jsondoc.Value{v}
		}
	case jsondoc.Object:
		for n := range slices.Backward(steps) {
			if found := find(v.Get(strings.Join(steps[:n+1], ".")), steps[n+1:]); found != nil {
				return found
			}
		}
	}
	return nil
}
