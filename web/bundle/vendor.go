package bundle

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// libraries says what each file in web/vendor exports, and which other libraries it takes from its neighbours.
var libraries = []struct {
	file, source string
	others       []string
}{
	{"preact.js", `export * from "preact";`, nil},
	{"preact-hooks.js", `export * from "preact/hooks";`, []string{"preact"}},
	{"preact-jsx-runtime.js", `export * from "preact/jsx-runtime";`, []string{"preact"}},
	{"signals.js", `export * from "@preact/signals";`, []string{"preact", "preact/hooks"}},
	{"codemirror.js", `export * from "@codemirror/state";
export * from "@codemirror/view";
export * from "@codemirror/commands";
export * from "@codemirror/language";
export * from "@codemirror/autocomplete";
export * from "@codemirror/lint";
export { tags } from "@lezer/highlight";`, nil},
	{"uplot.js", `export { default } from "uplot";`, nil},
}

// Vendor returns the files of web/vendor, made of the packages in a folder node_modules. They are readable modules.
func Vendor(modules string) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, l := range libraries {
		result := api.Build(api.BuildOptions{
			Stdin:         &api.StdinOptions{Contents: l.source, ResolveDir: filepath.Dir(modules)},
			AbsWorkingDir: filepath.Dir(modules),
			Outfile:       l.file,
			Bundle:        true,
			Format:        api.FormatESModule,
			Target:        api.ES2022,
			Charset:       api.CharsetUTF8,
			Plugins:       []api.Plugin{neighbours(l.others)},
			LegalComments: api.LegalCommentsInline,
		})
		if len(result.Errors) > 0 {
			return nil, errors.New(strings.Join(api.FormatMessages(result.Errors, api.FormatMessagesOptions{}), ""))
		}
		files[l.file] = result.OutputFiles[0].Contents
	}
	css, err := os.ReadFile(filepath.Join(modules, "uplot/dist/uPlot.min.css"))
	if err != nil {
		return nil, err
	}
	files["uplot.css"] = css
	return files, licences(modules, files)
}

// neighbours leaves the imports of other libraries as they are. (External of the options takes what lies below as well.)
func neighbours(names []string) api.Plugin {
	return api.Plugin{Name: "neighbours", Setup: func(build api.PluginBuild) {
		for _, name := range names {
			build.OnResolve(api.OnResolveOptions{Filter: "^" + regexp.QuoteMeta(name) + "$"},
				func(a api.OnResolveArgs) (api.OnResolveResult, error) {
					return api.OnResolveResult{Path: name, External: true}, nil
				})
		}
	}}
}

// licences adds the licences of the packages that the files are made of.
func licences(modules string, files map[string][]byte) error {
	for _, pattern := range []string{"*/LICENSE*", "@*/*/LICENSE*"} {
		found, err := filepath.Glob(filepath.Join(modules, pattern))
		if err != nil {
			return err
		}
		for _, name := range found {
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			pkg, err := filepath.Rel(modules, filepath.Dir(name))
			if err != nil {
				return err
			}
			if pkg == "axe-core" || strings.Contains(pkg, "typescript") {
				continue // of tests and checks
			}
			files["LICENSE."+strings.NewReplacer("@", "", "/", "-").Replace(filepath.ToSlash(pkg))] = text
		}
	}
	return nil
}
