// Package list converts lists.
//
// It does what package slices does not; it does not filter, sort or search.
package list

// Map returns what a function makes of each item. The result is never nil, which JSON would show as null.
func Map[From, To any](items []From, convert func(From) To) []To {
	converted := make([]To, len(items))
	for i, item := range items {
		converted[i] = convert(item)
	}
	return converted
}
