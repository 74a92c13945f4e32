package modelstore

import (
	"archive/tar"
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var wanted = map[string]string{"model": "model.onnx", "tokens": "sub/tokens.txt"}

// unpackInto unpacks an archive called name into a folder and lists the resulting files.
func unpackInto(t testing.TB, folder, name string, data []byte) ([]string, error) {
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	archive, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	root, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	err = unpack(t.Context(), root, name, archive, wanted, func(int64) {})
	var names []string
	filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, strings.TrimPrefix(path, folder+"/"))
		}
		return err
	})
	return names, err
}

func TestArchivesOfEachSortAreUnpacked(t *testing.T) {
	bz2, err := os.ReadFile("testdata/tiny.tar.bz2")
	if err != nil {
		t.Fatal(err)
	}
	inside := []file{{"top/model.onnx", "m", 0}, {"top/sub/tokens.txt", "t", 0}, {"top/LICENSE.md", "l", 0},
		{"top/other.onnx", "o", 0}}
	flat := []file{{"./model.onnx", "m", 0}, {"./sub/tokens.txt", "t", 0}, {"LICENSE.md", "l", 0}}
	want := []string{"LICENSE.md", "model.onnx", "sub/tokens.txt"}
	for name, files := range map[string][]file{"with a folder": inside, "without": flat} {
		if got, err := unpackInto(t, t.TempDir(), "a.tar.bz2", tarbz2(t, files...)); err != nil ||
			!slices.Equal(got, want) {
			t.Errorf("%s: %q, %v, want %q", name, got, err, want)
		}
	}
	before := wanted
	defer func() { wanted = before }()
	wanted = map[string]string{"encoder": "encoder.int8.onnx", "tokens": "tokens.txt"}
	if got, err := unpackInto(t, t.TempDir(), "tiny.tar.bz2", bz2); err != nil ||
		!slices.Equal(got, []string{"LICENSE", "README.md", "encoder.int8.onnx", "tokens.txt"}) {
		t.Errorf("tar.bz2: %q, %v", got, err)
	}
	wanted = map[string]string{"model": "vad.onnx"}
	if got, err := unpackInto(t, t.TempDir(), "vad.onnx", []byte("weights")); err != nil ||
		!slices.Equal(got, []string{"vad.onnx"}) {
		t.Errorf("a single file: %q, %v", got, err)
	}
}

func TestArchivesCannotReachOutOfTheFolder(t *testing.T) {
	for name, files := range map[string][]file{
		"parent":          {{"../model.onnx", "evil", 0}},
		"parent inside":   {{"top/../../model.onnx", "evil", 0}, {"top/../model.onnx", "evil", 0}},
		"absolute":        {{"/model.onnx/../../x", "evil", 0}, {"//model.onnx", "evil", 0}},
		"licence outside": {{"../LICENSE", "evil", 0}, {"top/../LICENSE", "evil", 0}},
		"symlink":         {{"top/model.onnx", "/etc/passwd", tar.TypeSymlink}},
		"hard link":       {{"top/model.onnx", "../../x", tar.TypeLink}},
		"linked folder": {{"top/sub", "/tmp", tar.TypeSymlink}, {"top/sub/tokens.txt", "evil", 0},
			{"top/model.onnx", "m", 0}},
		"folder as file": {{"top/model.onnx", "", tar.TypeDir}},
		"twice":          {{"top/model.onnx", "a", 0}, {"top/model.onnx", "b", 0}},
		"empty file":     {{"top/model.onnx", "", 0}, {"top/sub/tokens.txt", "t", 0}},
		"file missing":   {{"top/model.onnx", "m", 0}},
	} {
		outer := t.TempDir()
		folder := filepath.Join(outer, "models", "new")
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		got, err := unpackInto(t, folder, "a.tar.bz2", tarbz2(t, files...))
		if err == nil && name != "linked folder" {
			t.Errorf("%s was unpacked: %q", name, got)
		}
		for _, dir := range []string{outer, filepath.Join(outer, "models")} {
			if entries, _ := os.ReadDir(dir); len(entries) != 1 {
				t.Errorf("%s left something in %s", name, dir)
			}
		}
		for _, file := range got {
			if info, err := os.Lstat(filepath.Join(folder, file)); err != nil || !info.Mode().IsRegular() {
				t.Errorf("%s left %s, which is no file", name, file)
			}
		}
	}
}

func TestBrokenArchivesAreErrors(t *testing.T) {
	good := tarbz2(t, file{"top/model.onnx", weights(5000), 0}, file{"top/sub/tokens.txt", "t", 0})
	for name, data := range map[string][]byte{"half": good[:len(good)/2], "text": []byte("no archive"),
		"nothing": nil} {
		if got, err := unpackInto(t, t.TempDir(), "a.tar.bz2", data); err == nil {
			t.Errorf("%s was unpacked: %q", name, got)
		}
	}
}

// FuzzTar unpacks arbitrary tar streams. Only regular files may appear in the folder.
func FuzzTar(f *testing.F) {
	for _, files := range [][]file{
		{{"top/model.onnx", "m", 0}, {"top/sub/tokens.txt", "t", 0}},
		{{"sub", "..", tar.TypeSymlink}, {"x/sub/tokens.txt", "t", 0}},
	} {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		for _, one := range files {
			h := &tar.Header{Name: one.name, Typeflag: one.kind, Size: int64(len(one.data))}
			if one.kind != 0 {
				h.Linkname, h.Size = one.data, 0
			}
			w.WriteHeader(h)
			if one.kind == 0 {
				w.Write([]byte(one.data))
			}
		}
		w.Close()
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		outer := t.TempDir()
		folder := filepath.Join(outer, "new")
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		root, err := os.OpenRoot(folder)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		u := &unpacker{ctx: t.Context(), root: root, want: map[string]bool{"model.onnx": true, "sub/tokens.txt": true},
			left: 1 << 20}
		u.tar(bytes.NewReader(data))
		if entries, _ := os.ReadDir(outer); len(entries) != 1 {
			t.Fatal("something lies beside the folder")
		}
		filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && !d.Type().IsRegular() {
				t.Fatalf("%s is no file", path)
			}
			return err
		})
	})
}
