package modelstore

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"parley/internal/testkit/verify"
)

func TestTheCatalogueIsSound(t *testing.T) {
	entries, err := Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	names, archives, sums := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, e := range entries {
		if names[e.Name] || archives[e.URL] || e.SHA256 != "" && sums[e.SHA256] {
			t.Errorf("%s is there twice", e.Name)
		}
		names[e.Name], archives[e.URL], sums[e.SHA256] = true, true, true
		if !strings.HasPrefix(e.URL, "https://github.com/k2-fsa/sherpa-onnx/releases/download/") || e.Title == "" ||
			!strings.HasPrefix(e.Home, "https://") {
			t.Errorf("%s: address, title or home: %+v", e.Name, e)
		}
	}
	for _, kind := range kinds {
		found := false
		for _, e := range entries {
			found = found || e.Kind == kind && e.SHA256 != ""
		}
		if !found {
			t.Errorf("no checked model of kind %s", kind)
		}
	}
}

func TestTheCatalogueRefusesEntriesThatCannotBeInstalled(t *testing.T) {
	good := entry("h", []byte("x"))
	for name, spoil := range map[string]func(*Entry){
		"a name that is a path":      func(e *Entry) { e.Name = "../x" },
		"a name of our own file":     func(e *Entry) { e.Name = defaultsName },
		"a file outside":             func(e *Entry) { e.Files = map[string]string{"model": "../x"} },
		"an absolute file":           func(e *Entry) { e.Files = map[string]string{"model": "/x"} },
		"the manifest as a file":     func(e *Entry) { e.Files = map[string]string{"model": manifestName} },
		"no files":                   func(e *Entry) { e.Files = nil },
		"no languages":               func(e *Entry) { e.Languages = nil },
		"an unknown kind":            func(e *Entry) { e.Kind = "voice" },
		"a short sum":                func(e *Entry) { e.SHA256 = "abc" },
		"a sum without a size":       func(e *Entry) { e.Size = 0 },
		"an address without TLS":     func(e *Entry) { e.URL = "http://h/x.tar.bz2" },
		"an archive of another sort": func(e *Entry) { e.URL = "https://h/x.rar" },
		"no licence":                 func(e *Entry) { e.Licence = "" },
	} {
		bad := good
		spoil(&bad)
		data, err := json.Marshal([]Entry{bad})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parseCatalogue(data); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	if data, _ := json.Marshal([]Entry{good}); data != nil {
		if _, err := parseCatalogue(data); err != nil {
			t.Error(err)
		}
	}
}

func TestFindSaysWhatThereIs(t *testing.T) {
	_, err := Find([]Entry{entry("h", nil)}, "huge")
	if !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), "tiny") {
		t.Errorf("error %v", err)
	}
}

// put installs a model by hand, as users may do.
func put(t *testing.T, s *Store, name string, kind Kind) {
	t.Helper()
	dir := filepath.Join(s.Dir, name)
	m := Manifest{Format: format, Description: entry("h", nil).Description}
	m.Name, m.Kind = name, kind
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for file, data := range map[string][]byte{manifestName: data, "model.onnx": {1}, "tokens.txt": {1}} {
		if err := os.WriteFile(filepath.Join(dir, file), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestManifestsOfFormat1StayReadable(t *testing.T) {
	s := &Store{Dir: t.TempDir()}
	put(t, s, "m", Speech)
	path := filepath.Join(s.Dir, "m", manifestName)
	want := Manifest{Format: 1, Description: entry("h", nil).Description, Source: "https://h/m.tar.bz2",
		SHA256: strings.Repeat("0", 64), Checked: true}
	want.Name = "m"
	present, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, verify.Golden(t, "manifest", 1, present), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Open("m"); err != nil || !reflect.DeepEqual(got.Manifest, want) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestTheFirstModelOfAKindIsItsDefaultUntilAnotherIsChosen(t *testing.T) {
	folder, s := t.TempDir(), &Store{Dir: t.TempDir()}
	data := archive(t)
	if err := os.WriteFile(filepath.Join(folder, "tiny.tar.bz2"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	if i, ok := s.Default(Speech); ok {
		t.Errorf("default %+v of nothing", i)
	}
	for _, step := range []struct {
		name string
		do   func() error
		want string
	}{
		{"pull", func() error {
			_, err := s.Pull(t.Context(), entry("h", data),
				PullOptions{From: folder})
			return err
		}, "tiny"},
		{"a model put by hand", func() error { put(t, s, "mine", Speech); return nil }, "tiny"},
		{"use", func() error { return s.Use("mine") }, "mine"},
		{"another kind", func() error { put(t, s, "ears", VAD); return s.Use("ears") }, "mine"},
		{"pull again", func() error {
			_,
				err := s.Pull(t.Context(), entry("h", data), PullOptions{From: folder})
			return err
		}, "mine"},
		{"remove", func() error { return s.Remove("mine") }, ""},
		{"pull after it", func() error {
			_, err := s.Pull(t.Context(), entry("h", data), PullOptions{From: folder})
			return err
		}, "tiny"},
	} {
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if i, _ := s.Default(Speech); i.Name != step.want {
			t.Errorf("after %s the default is %q, want %q", step.name, i.Name, step.want)
		}
	}
	if i, ok := s.Default(VAD); !ok || i.Name != "ears" {
		t.Errorf("default VAD %+v", i)
	}
	if err := s.Use("mine"); !errors.Is(err, ErrNotInstalled) {
		t.Errorf("use of a removed model: %v", err)
	}
	if err := s.Remove("mine"); !errors.Is(err, ErrNotInstalled) {
		t.Errorf("remove of a removed model: %v", err)
	}
	if err := s.Remove("../x"); !errors.Is(err, ErrNotInstalled) {
		t.Errorf("remove of a path: %v", err)
	}
}

func TestListShowsTheCatalogueAndOnesOwnModels(t *testing.T) {
	s := &Store{Dir: t.TempDir()}
	put(t, s, "mine", Speech)
	put(t, s, "spoiled", Speech)
	if err := os.WriteFile(filepath.Join(s.Dir, "spoiled", manifestName), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := s.List([]Entry{entry("h", []byte("x"))})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range list {
		got = append(got, m.Name+" "+string(m.State))
	}
	if want := "tiny available, mine installed, spoiled broken"; strings.Join(got, ", ") != want {
		t.Errorf("listed %q, want %q", got, want)
	}
	if all, err := s.All(); err != nil || len(all) != 1 || all[0].Name != "mine" {
		t.Errorf("all %+v, %v", all, err)
	}
}

func TestOpenRefusesManifestsThatLie(t *testing.T) {
	for name, spoil := range map[string]func(*Manifest){
		"another name":   func(m *Manifest) { m.Name = "other" },
		"a later format": func(m *Manifest) { m.Format = 2 },
		"a path outside": func(m *Manifest) { m.Files = map[string]string{"model": "../../etc/passwd"} },
		"a missing file": func(m *Manifest) { m.Files = map[string]string{"model": "gone.onnx"} },
	} {
		s := &Store{Dir: t.TempDir()}
		put(t, s, "mine", Speech)
		i, err := s.Open("mine")
		if err != nil {
			t.Fatal(err)
		}
		spoil(&i.Manifest)
		data, _ := json.Marshal(i.Manifest)
		if err := os.WriteFile(filepath.Join(i.Dir, manifestName), data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Open("mine"); err == nil || errors.Is(err, ErrNotInstalled) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
