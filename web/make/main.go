// Command make makes the files of the pages that the server embeds, and the types of the API, from web/src.
//
//	go run ./web/make                         what the server embeds
//	go run ./web/make vendor node_modules     web/vendor, from the packages that npm has installed
//
// The same sources give the same files.
package main

import (
	"crypto/sha256"
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parley/web/bundle"
)

func main() {
	log.SetFlags(0)
	if err := run(os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

func run(args []string) error {
	if len(args) == 2 && args[0] == "vendor" {
		return vendor(args[1])
	}
	description, err := os.ReadFile("api/openapi.yaml")
	if err != nil {
		return err
	}
	types, err := bundle.Types(description)
	if err != nil {
		return err
	}
	if err := os.WriteFile(bundle.Wire, types, 0o644); err != nil {
		return err
	}
	files, err := bundle.Make(".")
	if err != nil {
		return err
	}
	return bundle.Write(bundle.Dist, files)
}

func vendor(modules string) error {
	modules, err := filepath.Abs(modules)
	if err != nil {
		return err
	}
	files, err := bundle.Vendor(modules)
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(files[name]), name)
	}
	files["SHA256SUMS"] = []byte(sums.String())
	for name, text := range files {
		if err := os.WriteFile(filepath.Join("web/vendor", name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
