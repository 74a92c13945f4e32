package batch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/terminal/textfile"
	"parley/internal/words/jsondoc"
	"parley/internal/words/media"
)

// Sources lists where the metadata of recordings comes from.
type Sources struct {
	Shared      []byte   // JSON, the same for all; nil: none
	CSV         string   // path of a file with one row per recording; empty: none
	SkipMissing bool     // ignore rows of the CSV file whose file does not exist
	Pattern     *Pattern // for the names of files; nil: none
}

// Describe sets the metadata of each recording, with its file name as the title if no source gives one. The error lists
// all mistakes; warnings are about input that may be intended.
func Describe(all []Recording, from Sources) (warnings []string, err error) {
	rows := map[string][]byte{}
	if from.CSV != "" {
		if rows, warnings, err = readCSV(from, all); err != nil {
			return nil, err
		}
	}
	var wrong []error
	for i := range all {
		r := &all[i]
		known, warning, err := describe(r.Path, from, rows[r.Path])
		if warning != "" {
			warnings = append(warnings, warning)
		}
		wrong = append(wrong, err)
		r.Metadata = known
	}
	return warnings, errors.Join(wrong...)
}

func describe(path string, from Sources, row []byte) (known []byte, warning string, err error) {
	var named []byte
	if from.Pattern != nil {
		if named, err = from.Pattern.read(path); err != nil {
			return nil, "", err
		}
	}
	beside, warning, err := readSidecar(path)
	if err != nil {
		return nil, "", err
	}
	title, err := json.Marshal(filepath.Base(path))
	if err != nil {
		return nil, "", err
	}
	known = []byte(`{"title":` + string(title) + `}`)
	for _, more := range [][]byte{from.Shared, named, row, beside} {
		if known, err = Merge(known, more); err != nil {
			return nil, "", fmt.Errorf("%s: %w", path, err)
		}
	}
	return known, warning, nil
}

// sidecarOf returns the path of the metadata file next to a recording.
func sidecarOf(path string) string { return strings.TrimSuffix(path, filepath.Ext(path)) + ".json" }

// readSidecar reads the metadata next to a recording, nil if there is none. It ignores a file that is the result of a
// transcription.
func readSidecar(recording string) (known []byte, warning string, err error) {
	path := sidecarOf(recording)
	sent, err := textfile.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	root, err := jsondoc.Parse(sent, limits)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", path, err)
	}
	for _, name := range []string{"words", "transcript", "results", "segments"} {
		if root.Kind() != jsondoc.Object || root.Sent(name) != nil {
			return nil, path + " is not metadata but looks like a transcript; it is not sent", nil
		}
	}
	if _, err := media.ParseMetadata(sent); err != nil {
		return nil, "", fmt.Errorf("%s: %w", path, err)
	}
	return root.Bytes(), "", nil
}

var limits = jsondoc.Limits{Bytes: media.MaxMetadataSent, Depth: 100, Values: 100_000}

// Merge returns the first object with the members of the second, which take precedence. Spelling and order are kept. A
// member that counts as absent in the second (see jsondoc.Value.Absent) leaves the first unchanged.
func Merge(base, over []byte) ([]byte, error) {
	if len(bytes.TrimSpace(over)) == 0 {
		return base, nil
	}
	a, err := jsondoc.Parse(base, limits)
	if err != nil {
		return nil, err
	}
	b, err := jsondoc.Parse(over, limits)
	if err != nil {
		return nil, err
	}
	if b.Absent() {
		return base, nil
	}
	if b.Kind() != jsondoc.Object {
		return nil, fmt.Errorf("metadata is %s; write an object", b.Kind())
	}
	var out bytes.Buffer
	err = merge(&out, a, b)
	return out.Bytes(), err
}

func merge(out *bytes.Buffer, a, b *jsondoc.Value) error {
	if b.Absent() && a != nil {
		out.Write(a.Bytes())
		return nil
	}
	if a.Kind() != jsondoc.Object || b.Kind() != jsondoc.Object {
		out.Write(b.Bytes())
		return nil
	}
	out.WriteByte('{')
	for i, m := range a.Members() {
		if err := writeName(out, i, m); err != nil {
			return err
		}
		if err := merge(out, m, b.Get(m.Name())); err != nil {
			return err
		}
	}
	n := len(a.Members())
	for _, m := range b.Members() {
		if slices.ContainsFunc(a.Members(), func(of *jsondoc.Value) bool { return of.Name() == m.Name() }) {
			continue
		}
		if err := writeName(out, n, m); err != nil {
			return err
		}
		out.Write(m.Bytes())
		n++
	}
	out.WriteByte('}')
	return nil
}

// writeName writes the separator and the name of a member.
func writeName(out *bytes.Buffer, n int, m *jsondoc.Value) error {
	if n > 0 {
		out.WriteByte(',')
	}
	name, err := json.Marshal(m.Name())
	out.Write(name)
	out.WriteByte(':')
	return err
}

// field is a metadata value and its path.
type field struct{ path, value string }

// isField reports whether a path is valid for metadata.
func isField(path string) bool {
	own, inside := strings.CutPrefix(path, "extended.")
	return inside && !slices.Contains(strings.Split(own, "."), "") || slices.Contains(media.MetadataFields(), path)
}

// fieldsAre describes the valid metadata paths.
func fieldsAre() string {
	return "use one of " + strings.Join(media.MetadataFields(), ", ") + ", or extended.NAME for your own fields"
}

// clash returns a path among paths that contains the given path, or lies inside it.
func clash(paths []string, path string) (other string, ok bool) {
	at := slices.IndexFunc(paths, func(p string) bool {
		return strings.HasPrefix(p, path+".") || strings.HasPrefix(path, p+".")
	})
	if at < 0 {
		return "", false
	}
	return paths[at], true
}

// add returns metadata with one more value, after validating it; if that is wrong, the metadata as it was.
func (f field) add(known []byte) ([]byte, error) {
	value, err := json.Marshal(f.value)
	if err != nil {
		return known, err
	}
	names := strings.Split(f.path, ".")
	for _, name := range slices.Backward(names) {
		key, err := json.Marshal(name)
		if err != nil {
			return known, err
		}
		value = slices.Concat([]byte("{"), key, []byte(":"), value, []byte("}"))
	}
	if _, err := media.ParseMetadata(value); err != nil {
		_, reason, _ := strings.Cut(err.Error(), ": ") // the caller knows the position better
		return known, errors.New(reason)
	}
	return Merge(known, value)
}
