// Command parley is the server and its tools. It wires packages together and does nothing else.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

// version is set by the linker.
var version = "devel"

// cli is the command line.
type cli struct {
	Serve      serveCommand      `cmd:"" help:"Run the server." group:"Server"`
	Demo       demoCommand       `cmd:"" help:"Run the server, transcribe the sample call, and show how to go on." group:"Server"`
	Doctor     doctorCommand     `cmd:"" help:"Check what the server needs and say how to mend it." group:"Server"`
	Transcribe transcribeCommand `cmd:"" help:"Transcribe files right here, without a server." group:"Recordings"`
	Analyze    analyzeCommand    `cmd:"" help:"Run the analyses on a transcript right here, without a server." group:"Recordings"`
	Submit     submitCommand     `cmd:"" help:"Upload files or folders to a server and wait for the results." group:"Recordings"`
	Reprocess  reprocessCommand  `cmd:"" help:"Process recordings on a server again: with another configuration, or with a transcript." group:"Recordings"`
	Metadata   metadataCommand   `cmd:"" help:"Print or replace the metadata of a recording on a server." group:"Recordings"`
	Callbacks  callbacksCommand  `cmd:"" help:"Show what became of the callbacks of recordings on a server, and deliver again." group:"Recordings"`
	Classifier classifierCommand `cmd:"" help:"Train, list, show and delete classifiers on a server." group:"Recordings"`
	PublicKey  publicKeyCommand  `cmd:"" name:"public-key" help:"Upload, list, show and delete the public keys on a server that recordings are encrypted for." group:"Recordings"`
	Query      queryCommand      `cmd:"" help:"Ask a server about many calls: a statement of the query language, or how often and where a condition holds." group:"Recordings"`
	Export     exportCommand     `cmd:"" help:"Write calls, words, metrics or categories of a server to a CSV or Parquet file." group:"Recordings"`
	Token      tokenCommand      `cmd:"" help:"Create, list and revoke access tokens." group:"Administration"`
	Account    accountCommand    `cmd:"" help:"Create, list, disable and delete accounts." group:"Administration"`
	URLKey     urlKeyCommand     `cmd:"" name:"url-key" help:"Rotate the key of signed stream URLs." group:"Administration"`
	StorageKey storageKeyCommand `cmd:"" name:"storage-key" help:"Make, list and rotate the keys under which the keys of recordings are kept." group:"Administration"`
	Queue      queueCommand      `cmd:"" help:"List jobs and run dead ones again." group:"Administration"`
	Backup     backupCommand     `cmd:"" help:"Write database and recordings to one file, while the server runs." group:"Administration"`
	Restore    restoreCommand    `cmd:"" help:"Make a data directory from a backup file." group:"Administration"`
	Models     modelsCommand     `cmd:"" help:"Install, list, choose and remove neural models." group:"Administration"`
	Migrate    migrateCommand    `cmd:"" help:"Bring the database to this version." group:"Administration"`
	Reindex    reindexCommand    `cmd:"" help:"Build the search index again, also while the server runs." group:"Administration"`
	Bench      benchCommand      `cmd:"" help:"Measure this machine." group:"Measuring"`
	Eval       evalCommand       `cmd:"" help:"Measure accuracy on recordings with references." group:"Measuring"`
	Version    versionCommand    `cmd:"" help:"Print the version." group:"Measuring"`

	Engine engineCommand `cmd:"" name:"engine-pocketsphinx" hidden:""`

	Config kong.ConfigFlag `help:"Settings file (YAML): the names of the flags, without the dashes." env:"PARLEY_CONFIG" placeholder:"FILE"`
}

const description = `Parley turns recorded calls into transcripts and conversation analytics, on your own machine.

Start with "parley demo". Every flag can also stand in the environment as PARLEY_<FLAG>, or in a file given with --config.`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var c cli
	parser := kong.Must(&c,
		kong.Name("parley"), kong.Description(description), kong.ShortUsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Configuration(yamlSettings),
		kong.BindTo(ctx, (*context.Context)(nil)),
	)
	command, err := parser.Parse(os.Args[1:])
	parser.FatalIfErrorf(err)
	if err := command.Run(); err != nil {
		os.Exit(report(err))
	}
}

// errFailed is an error whose explanation has already been printed; it only sets the exit code.
var errFailed = errors.New("failed")

// report prints an error and returns the exit code: 130 for an interrupt, else 1.
func report(err error) int {
	if errors.Is(err, context.Canceled) {
		return 130
	}
	if !errors.Is(err, errFailed) {
		fmt.Fprintln(os.Stderr, "parley:", err)
	}
	return 1
}
