package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"parley/internal/operation/config"
	"parley/internal/speech/modelstore"
)

// modelsCommand manages neural models.
type modelsCommand struct {
	List   modelsList   `cmd:"" help:"List the models that can be installed and those that are."`
	Pull   modelsPull   `cmd:"" help:"Download, check and install a model; an interrupted download resumes."`
	Use    modelsUse    `cmd:"" help:"Make an installed model the default of its kind."`
	Delete modelsDelete `cmd:"" help:"Delete an installed model."`
}

// openModels returns the model store that the flags name, and the catalogue.
func openModels(flags config.StorageFlags) (*modelstore.Store, []modelstore.Entry, error) {
	storage, err := storageOf(flags)
	if err != nil {
		return nil, nil, err
	}
	catalogue, err := modelstore.Catalogue()
	return &modelstore.Store{Dir: storage.ModelDir()}, catalogue, err
}

type modelsList struct {
	config.StorageFlags
	printing
}

func (c *modelsList) Run() error {
	store, catalogue, err := openModels(c.StorageFlags)
	if err != nil {
		return err
	}
	all, err := store.List(catalogue)
	if err != nil {
		return err
	}
	if c.JSON {
		return printModels(all)
	}
	row := func(m modelstore.Status) []any {
		return []any{m.Name, stateOf(m), sizeOf(m), m.Licence, m.Title + m.Problem}
	}
	return table(rowsOf(all, row, "NAME", "STATE", "SIZE", "LICENCE", "WHAT IT IS"))
}

// stateOf describes in a word or two the state of a model.
func stateOf(m modelstore.Status) string {
	switch {
	case m.Default:
		return "default"
	case m.State == modelstore.Partial && m.Size > 0:
		return fmt.Sprintf("partial %d %%", 100*m.Have/m.Size)
	case m.State == modelstore.Available && !m.Verified:
		return "available, no checksum"
	}
	return string(m.State)
}

func sizeOf(m modelstore.Status) string {
	if m.Size == 0 {
		return ""
	}
	return fmt.Sprintf("%d MB", (m.Size+500_000)/1_000_000)
}

func printModels(all []modelstore.Status) error {
	type line struct {
		modelstore.Description
		State    modelstore.State `json:"state"`
		Default  bool             `json:"default"`
		Verified bool             `json:"verified"`
		Size     int64            `json:"size,omitempty"`
		Have     int64            `json:"have,omitempty"`
		Problem  string           `json:"problem,omitempty"`
	}
	lines := make([]line, len(all))
	for i, m := range all {
		lines[i] = line{m.Description, m.State, m.Default, m.Verified, m.Size, m.Have, m.Problem}
	}
	return printIndented(lines)
}

type modelsPull struct {
	config.StorageFlags
	Name             string `arg:"" help:"Name of the model, as models list shows it."`
	From             string `help:"Install from here, on machines without internet access: a file, a folder or a URL." placeholder:"DIR|URL"`
	AcceptUnverified bool   `help:"Install a model even if the catalogue has no checksum for it; its checksum is printed."`
}

// Run installs a model.
func (c *modelsPull) Run(ctx context.Context) error {
	store, catalogue, err := openModels(c.StorageFlags)
	if err != nil {
		return err
	}
	entry, err := modelstore.Find(catalogue, c.Name)
	if err != nil {
		return err
	}
	show := &pullBar{name: entry.Name}
	installed, err := store.Pull(ctx, entry,
		modelstore.PullOptions{From: c.From, AcceptUnverified: c.AcceptUnverified, Progress: show.set})
	show.end(err)
	if errors.Is(err, modelstore.ErrUnverified) {
		return fmt.Errorf("%w; give --accept-unverified to install it anyway and print its checksum", err)
	}
	if err != nil {
		return err
	}
	fmt.Printf("%s is installed in %s\nlicence %s, by %s\n", entry.Name, installed.Dir, entry.Licence, entry.Home)
	if !installed.Checked {
		fmt.Printf("NOT VERIFIED: compare its checksum with another source: sha256 %s\n", installed.SHA256)
	}
	if first, ok := store.Default(entry.Kind); ok && first.Name != entry.Name {
		fmt.Printf("the default is still %s; \"parley models use %s\" changes that\n", first.Name, entry.Name)
	}
	return nil
}

// pullBar shows each phase of an installation with its own bar.
type pullBar struct {
	name    string
	doing   string
	bar     *bar
	percent int
}

func (b *pullBar) set(p modelstore.Progress) {
	percent := 0
	if p.Total > 0 {
		percent = int(100 * p.Done / p.Total)
	}
	if p.Doing != b.doing {
		b.end(nil)
		b.doing, b.bar, b.percent = p.Doing, newBar(os.Stderr, b.name), -1
	}
	if percent != b.percent {
		b.bar.Set(percent, strings.TrimSpace(p.Doing+megabytes(p.Total)))
		b.percent = percent
	}
}

func megabytes(bytes int64) string {
	if bytes < 1_000_000 {
		return ""
	}
	return fmt.Sprintf(" %d MB", bytes/1_000_000)
}

// end ends the bar of a phase.
func (b *pullBar) end(err error) {
	switch {
	case b.bar == nil:
	case err != nil:
		b.bar.Done(b.doing + " failed")
	default:
		b.bar.Done(b.doing + " done")
	}
	b.bar = nil
}

type modelsUse struct {
	config.StorageFlags
	Name string `arg:"" help:"Name of the model."`
}

// Run makes a model the default of its kind.
func (c *modelsUse) Run() error {
	store, _, err := openModels(c.StorageFlags)
	if err != nil {
		return err
	}
	if err := store.Use(c.Name); errors.Is(err, modelstore.ErrNotInstalled) {
		return fmt.Errorf("%w; \"parley models pull %s\" installs it", err, c.Name)
	} else if err != nil {
		return err
	}
	fmt.Printf("%s is now the default; restart a running server to use it\n", c.Name)
	return nil
}

type modelsDelete struct {
	config.StorageFlags
	Name string `arg:"" help:"Name of the model."`
	deletion
}

func (c *modelsDelete) Run(ctx context.Context) error {
	store, _, err := openModels(c.StorageFlags)
	if err != nil {
		return err
	}
	return c.each(ctx, fmt.Sprintf("Delete the model %s in %s?", c.Name, store.Dir), []string{c.Name}, store.Remove)
}
