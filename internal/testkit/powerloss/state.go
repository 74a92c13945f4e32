package powerloss

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Mood is which of the operations that were not synced survive.
type Mood string

// The moods. Of data, Journal means the writes of a file up to one of them; of names, what a journal leaves.
const (
	None    Mood = "none"
	All     Mood = "all"
	Journal Mood = "journal"
	Pages   Mood = "some" // of data, some pages; of names, some names
	Sectors Mood = "sectors"
)

// Loss is how a state came about.
type Loss struct {
	Instant int    // number of operations before the loss
	Seed    uint64 // of everything random
	Names   Mood   // None, All, Journal or Pages
	Data    Mood   // None, All, or "": each file has its own
}

// String returns a loss as the ledger has it.
func (l Loss) String() string {
	return fmt.Sprintf("instant %d seed %d names %s data %s", l.Instant, l.Seed, l.Names, l.Data)
}

// NewLoss returns the loss of an instant and a seed.
func NewLoss(instant int, seed uint64) Loss {
	random := rand.New(rand.NewPCG(seed, 1))
	return Loss{Instant: instant, Seed: seed,
		Names: []Mood{None, All, Journal, Pages, Pages}[random.IntN(5)],
		Data:  []Mood{None, All, "", "", ""}[random.IntN(5)]}
}

// Image is the files that are left.
type Image struct {
	files   map[int64][]byte
	folders map[int64]map[string]int64
}

// builder decides what survives and applies it.
type builder struct {
	Image
	loss   Loss
	random *rand.Rand
	synced []uint8 // of each operation, what the syncs after it have made durable
	first  int     // names up to here are durable in a journal
	cut    int     // names from here on are lost in a journal
	mood   map[int64]Mood
	end    map[int64]int // of the files with mood Journal: writes from here on are lost
	share  float64       // of what survives in moods that keep some
}

// What the syncs after an operation have made durable.
const (
	durable    = 1 << iota // the data, or the name; of a rename, the new name
	oldRemoved             // the removal of a rename's old name
)

// After builds the files that a loss of power leaves.
func (t Trace) After(l Loss) *Image {
	b := &builder{
		Image: Image{files: map[int64][]byte{}, folders: map[int64]map[string]int64{Root: {}}},
		loss:  l, random: rand.New(rand.NewPCG(l.Seed, 2)), mood: map[int64]Mood{}, end: map[int64]int{},
	}
	t = t[:l.Instant]
	b.look(t)
	b.share = b.random.Float64()
	b.cut = b.first + b.random.IntN(len(t)-b.first+1)
	for i, op := range t {
		b.apply(i, op, len(t))
	}
	return &b.Image
}

// look finds what is durable, from the end to the beginning.
func (b *builder) look(t Trace) {
	b.synced = make([]uint8, len(t))
	syncs := map[int64]bool{}
	for i, op := range slices.Backward(t) {
		switch op.Kind {
		case Sync:
			if len(syncs) == 0 {
				b.first = i // every sync commits the whole journal
			}
			syncs[op.File] = true
		case Write, Truncate:
			if syncs[op.File] {
				b.synced[i] = durable
			}
		case Rename:
			if syncs[op.ToDir] {
				b.synced[i] = durable
			}
			if syncs[op.Dir] {
				b.synced[i] |= durable | oldRemoved
			}
		default:
			if syncs[op.Dir] {
				b.synced[i] = durable
			}
		}
	}
}

func (b *builder) apply(i int, op Op, ops int) {
	switch op.Kind {
	case Sync:
	case Create:
		b.files[op.File] = nil
	case Mkdir:
		b.folders[op.File] = map[string]int64{}
	case Write, Truncate:
		b.data(i, op, ops)
	}
	if op.Dir == 0 || !b.nameSurvives(i) {
		return
	}
	dir := b.folders[op.Dir]
	switch op.Kind {
	case Unlink:
		delete(dir, op.Name)
	case Rename:
		b.folders[op.ToDir][op.To] = op.File
		if dir[op.Name] == op.File && b.oldNameGoes(i) && (op.Dir != op.ToDir || op.Name != op.To) {
			delete(dir, op.Name)
		}
	default:
		dir[op.Name] = op.File
	}
}

func (b *builder) nameSurvives(i int) bool {
	if b.synced[i] != 0 {
		return true
	}
	switch b.loss.Names {
	case All:
		return true
	case Journal:
		return i < b.cut
	case Pages:
		return b.random.Float64() < b.share
	}
	return false
}

// oldNameGoes reports whether the old name goes where the new one of a rename is there.
func (b *builder) oldNameGoes(i int) bool {
	return b.synced[i]&oldRemoved != 0 || b.loss.Names != Pages || b.random.Float64() < b.share
}

func (b *builder) data(i int, op Op, ops int) {
	if b.synced[i] != 0 {
		b.put(op)
		return
	}
	mood := b.moodOf(op.File, i, ops)
	switch {
	case mood == All, mood == Journal && i < b.end[op.File]:
		b.put(op)
	case mood == Pages:
		b.some(op, 4096)
	case mood == Sectors:
		b.some(op, 512)
	}
}

// moodOf returns the mood of a file, which is chosen at its first operation that was not synced.
func (b *builder) moodOf(file int64, i, ops int) Mood {
	if b.loss.Data != "" {
		return b.loss.Data
	}
	mood, chosen := b.mood[file]
	if !chosen {
		mood = []Mood{None, All, Journal, Pages, Sectors}[b.random.IntN(5)]
		b.mood[file] = mood
		b.end[file] = i + b.random.IntN(ops-i+1)
	}
	return mood
}

// put applies a write or truncation.
func (b *builder) put(op Op) {
	if op.Kind == Truncate {
		b.files[op.File] = resized(b.files[op.File], op.Offset)
		return
	}
	end := op.Offset + int64(len(op.Data))
	if end > int64(len(b.files[op.File])) {
		b.files[op.File] = resized(b.files[op.File], end)
	}
	copy(b.files[op.File][op.Offset:], op.Data)
}

// some applies some of the pieces of a write, which end at multiples of a size. The size of the file may survive
// without the data.
func (b *builder) some(op Op, size int64) {
	if op.Kind == Truncate {
		if b.random.Float64() < b.share {
			b.put(op)
		}
		return
	}
	for from := int64(0); from < int64(len(op.Data)); {
		to := min(int64(len(op.Data)), ((op.Offset+from)/size+1)*size-op.Offset)
		if b.random.Float64() < b.share {
			b.put(Op{Kind: Write, File: op.File, Offset: op.Offset + from, Data: op.Data[from:to]})
		}
		from = to
	}
	if end := op.Offset + int64(len(op.Data)); end > int64(len(b.files[op.File])) && b.random.Float64() < b.share {
		b.put(Op{Kind: Truncate, File: op.File, Offset: end})
	}
}

// resized cuts data to a length, or extends it with zeros.
func resized(data []byte, length int64) []byte {
	if length <= int64(len(data)) {
		return data[:length]
	}
	return append(data, make([]byte, length-int64(len(data)))...)
}

// Paths returns the paths of all files, sorted, without those of folders.
func (m *Image) Paths() []string {
	var all []string
	m.walk(Root, "", func(path string, file int64) error {
		if _, folder := m.folders[file]; !folder {
			all = append(all, path)
		}
		return nil
	})
	return all
}

// Read returns the content of a file, and whether it is there.
func (m *Image) Read(path string) (data []byte, there bool) {
	m.walk(Root, "", func(at string, file int64) error {
		if at == path {
			data, there = m.files[file]
		}
		return nil
	})
	return data, there
}

// walk visits all files and folders, each folder before its files.
func (m *Image) walk(folder int64, prefix string, visit func(path string, file int64) error) error {
	for _, name := range slices.Sorted(maps.Keys(m.folders[folder])) {
		file, path := m.folders[folder][name], filepath.Join(prefix, name)
		if err := visit(path, file); err != nil {
			return err
		}
		if err := m.walk(file, path, visit); err != nil {
			return err
		}
	}
	return nil
}

// WriteTo writes the files into an existing folder, with a time of modification.
func (m *Image) WriteTo(dir string, modified time.Time) error {
	return m.walk(Root, dir, func(path string, file int64) error {
		if _, folder := m.folders[file]; folder {
			return os.Mkdir(path, 0o700)
		}
		if err := os.WriteFile(path, m.files[file], 0o600); err != nil {
			return err
		}
		return os.Chtimes(path, modified, modified)
	})
}
