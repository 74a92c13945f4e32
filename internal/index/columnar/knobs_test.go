package columnar

// ListFirst sets how many recordings that pass a filter are evaluated before the index is used.
func (x *Index) ListFirst(n int) { x.listedFirst = n }
