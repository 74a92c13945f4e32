// Package bundle makes the files of the pages from their sources: scripts, one style sheet, and the types of the API.
//
// It needs neither Node nor a network: libraries lie in web/vendor. The server does not import it; it embeds the files,
// which are kept in internal/web/workbench/dist.
package bundle

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// Dist is the folder of the files that the server embeds, seen from the root of the module.
const Dist = "internal/web/workbench/dist"

// kit is the script that every page shares with the frame.
const kit = "./app.js"

// shared lists the modules that pages take from the kit: so there is one copy of each, whatever pages are loaded.
var shared = []string{"kit", "preact", "preact/hooks", "preact/jsx-runtime", "@preact/signals"}

// vendored names the file in web/vendor of each library.
var vendored = map[string]string{
	"preact": "preact.js", "preact/hooks": "preact-hooks.js", "preact/jsx-runtime": "preact-jsx-runtime.js",
	"@preact/signals": "signals.js", "codemirror": "codemirror.js", "uplot": "uplot.js",
}

// Make returns the files of the pages by name. The root is that of the module. Errors name file, line and column.
//
// The script app.js has the frame and the kit. Each folder of web/src/pages becomes a script of its name, and so does
// each folder of web/src/parts, which has a large library. Scripts import from app.js and from parts, and load when
// they are needed. Names are stable.
func Make(root string) (map[string][]byte, error) {
	files := map[string][]byte{}
	scripts, err := lazy(root)
	if err != nil {
		return nil, err
	}
	scripts["app"] = "app.tsx"
	scripts["style"] = "style/index.css"
	for name, source := range scripts {
		made, err := one(root, name, source)
		if err != nil {
			return nil, err
		}
		for _, f := range made {
			files[filepath.Base(f.Path)] = f.Contents
		}
	}
	for _, name := range []string{"index.html", "icons.svg", "icon.svg"} {
		if files[name], err = os.ReadFile(filepath.Join(root, "web/src", name)); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// lazy lists the scripts that are loaded when they are needed: their sources by name.
func lazy(root string) (map[string]string, error) {
	found := map[string]string{}
	for _, folder := range []string{"pages", "parts"} {
		entries, err := os.ReadDir(filepath.Join(root, "web/src", folder))
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if e.IsDir() {
				found[e.Name()] = folder + "/" + e.Name() + "/index.tsx"
			}
		}
	}
	return found, nil
}

// one bundles a source under a name.
func one(root, name, source string) ([]api.OutputFile, error) {
	folder, err := filepath.Abs(filepath.Join(root, "web"))
	if err != nil {
		return nil, err
	}
	result := api.Build(api.BuildOptions{
		EntryPointsAdvanced: []api.EntryPoint{{InputPath: filepath.Join(folder, "src", source), OutputPath: name}},
		AbsWorkingDir:       folder,
		Outdir:              filepath.Join(folder, "dist"),
		Bundle:              true,
		Format:              api.FormatESModule,
		Target:              api.ES2022,
		Charset:             api.CharsetUTF8,
		MinifyWhitespace:    true,
		MinifySyntax:        true,
		MinifyIdentifiers:   true,
		JSX:                 api.JSXAutomatic,
		JSXImportSource:     "preact",
		LegalComments:       api.LegalCommentsNone,
		TsconfigRaw:         "{}",
		Plugins:             []api.Plugin{resolver(folder, name)},
	})
	if len(result.Errors) > 0 {
		return nil, errors.New(strings.Join(api.FormatMessages(result.Errors, api.FormatMessagesOptions{}), ""))
	}
	if len(result.Warnings) > 0 {
		return nil, errors.New(strings.Join(api.FormatMessages(result.Warnings, api.FormatMessagesOptions{}), ""))
	}
	return result.OutputFiles, nil
}

// resolver leads imports of libraries to web/vendor, and imports of other scripts to the scripts.
func resolver(folder, name string) api.Plugin {
	return api.Plugin{Name: "scripts", Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: `^(\.\./)*(pages|parts)/[a-z]+$`},
			func(a api.OnResolveArgs) (api.OnResolveResult, error) {
				return api.OnResolveResult{Path: "./" + filepath.Base(a.Path) + ".js", External: true}, nil
			})
		build.OnResolve(api.OnResolveOptions{Filter: `^[@a-z]`}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			if name != "app" {
				for _, s := range shared {
					if a.Path == s {
						return api.OnResolveResult{Path: kit, External: true}, nil
					}
				}
			}
			if a.Path == "kit" {
				return api.OnResolveResult{Path: filepath.Join(folder, "src/kit/index.ts")}, nil
			}
			if file, ok := vendored[a.Path]; ok {
				return api.OnResolveResult{Path: filepath.Join(folder, "vendor", file)}, nil
			}
			return api.OnResolveResult{}, nil
		})
	}}
}

// Write replaces the files in a folder by compressed ones.
func Write(folder string, files map[string][]byte) error {
	old, err := filepath.Glob(filepath.Join(folder, "*.gz"))
	if err != nil {
		return err
	}
	for _, name := range old {
		if _, ok := files[strings.TrimSuffix(filepath.Base(name), ".gz")]; !ok {
			if err := os.Remove(name); err != nil {
				return err
			}
		}
	}
	for name, text := range files {
		target := filepath.Join(folder, name+".gz")
		if present, err := Read(target); err == nil && bytes.Equal(present, text) {
			continue
		}
		if err := os.WriteFile(target, packed(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func packed(text []byte) []byte {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		panic(err) // the level exists
	}
	z.Write(text) // into memory
	z.Close()
	return b.Bytes()
}

// Read returns the contents of a compressed file.
func Read(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return io.ReadAll(z)
}
