package posting

import (
	"slices"
	"strings"
)

// Build writes the segment of some calls in blocks of about size bytes.
func Build(calls []Call, size int, emit Emit) error {
	w := &writer{emit: emit, size: size, calls: len(calls)}
	texts := func(prefix byte, of func(*Call) []string) error {
		return w.lists(prefix, named(calls, of))
	}
	if err := texts(description, func(c *Call) []string { return c.Description }); err != nil {
		return err
	}
	if err := w.hashes(pair, calls, func(c *Call) []uint32 { return c.Pairs }); err != nil {
		return err
	}
	if err := texts(title, func(c *Call) []string { return c.Title }); err != nil {
		return err
	}
	if err := w.hashes(triple, calls, func(c *Call) []uint32 { return c.Triples }); err != nil {
		return err
	}
	if err := w.lists(anywhere, words(calls)); err != nil {
		return err
	}
	return w.flush()
}

// list is a word with the calls that have it.
type list struct {
	text  string
	calls []uint16
}

func (w *writer) lists(prefix byte, lists []list) error {
	slices.SortFunc(lists, func(a, b list) int { return strings.Compare(a.text, b.text) })
	key := []byte{prefix}
	for _, l := range lists {
		key = append(key[:1], l.text...)
		if err := w.add(key, l.calls); err != nil {
			return err
		}
	}
	return nil
}

// named collects the words of titles or descriptions, of which there are few.
func named(calls []Call, of func(*Call) []string) (lists []list) {
	found := map[string]int{}
	for c := range calls {
		for _, text := range of(&calls[c]) {
			at, ok := found[text]
			if !ok {
				at = len(lists)
				found[text] = at
				lists = append(lists, list{text: text})
			}
			lists[at].calls = append(lists[at].calls, uint16(c))
		}
	}
	return lists
}

// words collects all words. Word numbers start at 1 and have few gaps, except for the high ones.
func words(calls []Call) (lists []list) {
	const high = 1 << 24
	var low []int32 // index + 1 of the list of a number
	rest := map[uint32]int32{}
	var counts []int32
	at := make([][]int32, len(calls))
	for c := range calls {
		at[c] = make([]int32, len(calls[c].Words))
		for i, word := range calls[c].Words {
			var place *int32
			if word.Number < high {
				if int(word.Number) >= len(low) {
					low = append(low, make([]int32, int(word.Number)+1+len(low)/2-len(low))...)
				}
				place = &low[word.Number]
			} else {
				n := rest[word.Number]
				place = &n
			}
			if *place == 0 {
				lists, counts = append(lists, list{text: word.Text}), append(counts, 0)
				if *place = int32(len(lists)); word.Number >= high {
					rest[word.Number] = *place
				}
			}
			at[c][i] = *place - 1
			counts[*place-1]++
		}
	}
	for i, into := range divide(counts) {
		lists[i].calls = into
	}
	for c := range at {
		for _, i := range at[c] {
			lists[i].calls = append(lists[i].calls, uint16(c))
		}
	}
	return lists
}

// hashes sorts the calls by their hashes with a counting sort.
func (w *writer) hashes(kind byte, calls []Call, of func(*Call) []uint32) error {
	ends := make([]int32, Hashes+1) // ends[h+1] becomes the start of the calls of h
	for c := range calls {
		for _, hash := range of(&calls[c]) {
			ends[hash+1]++
		}
	}
	total := int32(0)
	for i, n := range ends {
		total += n
		ends[i] = total - n // the start of those of i-1 so far
	}
	all := make([]uint16, total)
	for c := range calls {
		for _, hash := range of(&calls[c]) {
			all[ends[hash+1]] = uint16(c)
			ends[hash+1]++
		}
	}
	for hash := range uint32(Hashes) {
		if from, to := ends[hash], ends[hash+1]; to > from {
			if err := w.add(hashKey(kind, hash), all[from:to]); err != nil {
				return err
			}
		}
	}
	return nil
}

// divide returns empty lists with the given capacities, all in one allocation.
func divide(counts []int32) [][]uint16 {
	total := 0
	for _, n := range counts {
		total += int(n)
	}
	all, lists := make([]uint16, total), make([][]uint16, len(counts))
	for i, n := range counts {
		lists[i], all = all[:0:n], all[n:]
	}
	return lists
}
