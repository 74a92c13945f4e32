package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"

	"parley/internal/host/sandbox"
	"parley/internal/host/scratch"
	"parley/internal/lab/bench"
	"parley/internal/operation/config"
	"parley/internal/operation/doctor"
	"parley/internal/operation/orphan"
	"parley/internal/operation/server"
	"parley/internal/speech/asr"
	"parley/internal/speech/asr/pocketsphinx"
	"parley/internal/speech/audio"
	"parley/internal/storage/blob"
	"parley/internal/words/cipher"
)

// doctorCommand examines this machine.
type doctorCommand struct {
	config.StorageFlags
	JSON   bool          `help:"Print JSON, for machines."`
	Repair bool          `help:"Delete stored files that belong to no recording, remove streams whose file is lost from their recordings, and delete temporary files of dead processes. The server may run meanwhile."`
	Grace  time.Duration `help:"Minimum age of a file without a recording to be deleted, since uploads in progress have such files; at least 1h, default: ${default}." default:"24h" placeholder:"TIME"`
	Many   bool          `help:"With --repair: repair even if more than a tenth of everything is affected."`
}

// Run prints one line per check; the exit code is 1 if something required is missing.
func (c *doctorCommand) Run(ctx context.Context) error {
	if c.Grace < orphan.Least {
		return usagef("--grace %s; give %s or more", c.Grace, orphan.Least)
	}
	if c.Many && !c.Repair {
		return usagef("--many needs --repair; give both")
	}
	storage, err := storageOf(c.StorageFlags)
	if err != nil {
		return err
	}
	command, err := engineCommandLine()
	if err != nil {
		return err
	}
	pool := server.NewPool(command, 1, nil)
	defer pool.Close()
	database := &doctor.Database{URL: storage.Database, KeyFile: storage.StorageKeyFile,
		Keys: func() (*cipher.Ring, error) { return server.StorageKeys(storage) }}
	defer database.Close()
	show := showLine
	if c.JSON {
		show = func(doctor.Line) {}
	}
	lines := doctor.Examine(ctx, checks(storage, database, pool), show)
	lines = c.repair(ctx, storage, database, lines, show)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if c.JSON {
		return printJSON(lines)
	}
	return verdict(lines)
}

// checks returns the checks of what a server on this storage needs.
func checks(storage config.Storage, database *doctor.Database, recognizer asr.Recognizer) []doctor.Check {
	decoder := &audio.Decoder{}
	at := doctor.Existing(storage.Dir)
	all := []doctor.Check{
		doctor.Confinement(sandbox.Supported()),
		doctor.FFmpeg(decoder),
		doctor.Engine(func() (asr.Info, error) { return pocketsphinx.Check(pocketsphinx.Config{}) }),
		doctor.Recognises(recognizer, decoder),
		doctor.Pronunciations(exec.LookPath),
		doctor.Neural(func(ctx context.Context) (*asr.Info, error) { return lookNeural(ctx, storage) }),
		doctor.Speakers(func(ctx context.Context) ([]string, error) { return server.LookVoices(ctx, storage, "") }),
		doctor.DataDirectory(storage.Dir),
		doctor.Room(func() (uint64, error) { return doctor.Free(at) }),
		doctor.Syncs(func() (float64, error) { return bench.Fsyncs(at, 20_000, 1, 500*time.Millisecond) }),
	}
	if hasBlobs(storage) {
		all = append(all, doctor.Blobs(opener(storage)))
	}
	all = append(all, database.All()...)
	return append(all,
		doctor.Clock(time.Now, map[string]func(context.Context) (time.Time, error){
			"the file system": doctor.FileClock(at), "the database": database.Clock,
		}),
		doctor.OpenFiles(doctor.FileLimit),
		doctor.Running(storage.Dir),
	)
}

// repair checks for the remains of crashes, and repairs them if requested.
func (c *doctorCommand) repair(
	ctx context.Context, storage config.Storage, database *doctor.Database, lines []doctor.Line, show func(doctor.Line),
) []doctor.Line {
	found := []doctor.Check{doctor.Leftovers(func(remove bool) ([]string, error) {
		return scratch.Abandoned(storage.TempDir(), remove)
	}, c.Repair)}
	if hasBlobs(storage) {
		orphans := &doctor.Orphans{Database: database, Open: opener(storage), Grace: c.Grace, Repair: c.Repair,
			Many: c.Many}
		found = append(found, orphans.Check())
	}
	if !c.Repair {
		return append(lines, doctor.Examine(ctx, found, show)...)
	}
	for _, check := range found {
		lines = doctor.Take(ctx, lines, check, show)
	}
	return lines
}

// hasBlobs reports whether the storage for recordings exists.
func hasBlobs(storage config.Storage) bool {
	_, err := os.Stat(storage.BlobDir())
	return err == nil || storage.Blobs != ""
}

func opener(storage config.Storage) func(context.Context) (blob.Store, func() error, error) {
	return func(ctx context.Context) (blob.Store, func() error, error) { return server.OpenBlobs(ctx, storage, 0) }
}

func showLine(l doctor.Line) {
	fmt.Printf("%-4s  %-22s %s\n", l.State, l.Name, l.Detail)
	if l.Remedy != "" {
		fmt.Printf("      %-22s → %s\n", "", l.Remedy)
	}
}

func verdict(lines []doctor.Line) error {
	if doctor.Healthy(lines) {
		return nil
	}
	fmt.Println("\nA server cannot run here until the failed checks are fixed.")
	return errFailed
}

func printJSON(lines []doctor.Line) error {
	healthy := doctor.Healthy(lines)
	if err := printIndented(struct {
		Healthy bool          `json:"healthy"`
		Checks  []doctor.Line `json:"checks"`
	}{healthy, lines}); err != nil {
		return err
	}
	if !healthy {
		return errFailed
	}
	return nil
}
