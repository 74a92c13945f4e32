// Command parley is the server and its tools. It only wires packages together.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"parley/internal/call/caption"
	"parley/internal/host/sandbox"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// version is set by the linker.
var version = "devel"

// cli is the command line.
type cli struct {
	Serve      serveCommand      `cmd:"" help:"Run the server." group:"Server"`
	Demo       demoCommand       `cmd:"" help:"Run the server, transcribe the sample call, and show how to go on." group:"Server"`
	Doctor     doctorCommand     `cmd:"" help:"Check what the server needs and how to fix what is missing." group:"Server"`
	Transcribe transcribeCommand `cmd:"" help:"Transcribe files on this machine, without a server." group:"Without a server"`
	Analyze    analyzeCommand    `cmd:"" help:"Analyze a transcript on this machine, without a server." group:"Without a server"`

	Login  loginCommand  `cmd:"" help:"Save a token for a server, so that commands need no token." group:"Recordings"`
	Logout logoutCommand `cmd:"" help:"Delete the saved token of a server." group:"Recordings"`
	Submit submitCommand `cmd:"" help:"Upload files or folders and wait for the results." group:"Recordings"`

	List       listCommand       `cmd:"" help:"List recordings." group:"Recordings"`
	Search     searchCommand     `cmd:"" help:"Find recordings by words of their transcript, title or description." group:"Recordings"`
	Get        getCommand        `cmd:"" help:"Show recordings with all their results." group:"Recordings"`
	Transcript transcriptCommand `cmd:"" help:"Print transcripts: ${formats}." group:"Recordings"`
	Progress   progressCommand   `cmd:"" help:"Show the processing progress of recordings." group:"Recordings"`
	Download   downloadCommand   `cmd:"" help:"Download the audio of recordings; an interrupted download resumes." group:"Recordings"`
	Metadata   metadataCommand   `cmd:"" help:"Print or replace the metadata of a recording." group:"Recordings"`
	Reprocess  reprocessCommand  `cmd:"" help:"Process recordings again: with another configuration, or with a transcript." group:"Recordings"`
	Callbacks  callbacksCommand  `cmd:"" help:"Show the deliveries of callbacks, and repeat them." group:"Recordings"`
	Delete     deleteCommand     `cmd:"" help:"Delete recordings and all their data." group:"Recordings"`

	Query         queryCommand         `cmd:"" help:"Query many calls: run a statement of the query language, or show how often and where a condition matches." group:"Many calls"`
	Explore       exploreCommand       `cmd:"" help:"Show the calls that meet a condition: the newest, how many by day, and which values their fields have." group:"Many calls"`
	Schema        schemaCommand        `cmd:"" help:"List fields, words and values that conditions can refer to." group:"Many calls"`
	Distributions distributionsCommand `cmd:"" help:"Show how length and metrics are distributed over many calls." group:"Many calls"`
	Export        exportCommand        `cmd:"" help:"Write calls, words, metrics or categories to a CSV or Parquet file." group:"Many calls"`

	//lint:ignore SA5008 kong reads each of these tags
	Categories definitionsCommand `cmd:"" set:"kind=category" set:"kinds=categories" set:"file=JSON, or only the condition" help:"List, show, save and delete categories, which are conditions on calls." group:"Definitions"`
	//lint:ignore SA5008 kong reads each of these tags
	Groups definitionsCommand `cmd:"" set:"kind=keyword group" set:"kinds=keyword groups" set:"file=JSON, or text with one keyword per line" help:"List, show, save and delete keyword groups." group:"Definitions"`
	//lint:ignore SA5008 kong reads each of these tags
	Vocabularies definitionsCommand  `cmd:"" set:"kind=vocabulary" set:"kinds=vocabularies" set:"file=JSON, or text with one term per line" help:"List, show, save and delete vocabularies." group:"Definitions"`
	SearchFields searchFieldsCommand `cmd:"" name:"search-fields" help:"Print, save and delete the list of searchable metadata fields." group:"Definitions"`
	Classifier   classifierCommand   `cmd:"" help:"Train, list, show and delete classifiers." group:"Definitions"`
	PublicKey    publicKeyCommand    `cmd:"" name:"public-key" help:"Upload, list, show and delete the public keys that encrypt recordings." group:"Definitions"`

	Keys  keysCommand  `cmd:"" help:"List the access tokens of your account on a server." group:"Account"`
	Usage usageCommand `cmd:"" help:"Show how many minutes were processed." group:"Account"`
	Audit auditCommand `cmd:"" help:"List who read, changed and deleted what." group:"Account"`

	Token      tokenCommand      `cmd:"" help:"Create, list and revoke access tokens." group:"Administration"`
	Account    accountCommand    `cmd:"" help:"Create, list, disable and delete accounts." group:"Administration"`
	URLKey     urlKeyCommand     `cmd:"" name:"url-key" help:"Rotate the key of signed stream URLs." group:"Administration"`
	StorageKey storageKeyCommand `cmd:"" name:"storage-key" help:"Create, list and rotate the storage keys, which encrypt the keys of recordings." group:"Administration"`
	Queue      queueCommand      `cmd:"" help:"List jobs and run dead ones again." group:"Administration"`
	Backup     backupCommand     `cmd:"" help:"Write the database and the recordings to one file; the server may run meanwhile." group:"Administration"`
	Restore    restoreCommand    `cmd:"" help:"Create a data directory from a backup file." group:"Administration"`
	Models     modelsCommand     `cmd:"" help:"Install, list, choose and delete neural models." group:"Administration"`
	Migrate    migrateCommand    `cmd:"" help:"Migrate the database to this version." group:"Administration"`

	Bench benchCommand `cmd:"" help:"Measure this machine." group:"Measuring"`
	Eval  evalCommand  `cmd:"" help:"Measure accuracy on recordings with references." group:"Measuring"`

	Completion completionCommand `cmd:"" help:"Print a shell completion script for parley." group:"Help"`
	Help       helpCommand       `cmd:"" help:"Show the help of a command." group:"Help"`
	Version    versionCommand    `cmd:"" help:"Print the version." group:"Help"`

	Engine   engineCommand   `cmd:"" name:"engine-pocketsphinx" hidden:""`
	Complete completeCommand `cmd:"" name:"complete-words" hidden:""`

	Config kong.ConfigFlag `help:"Settings file (YAML): the names of the flags, without the dashes." env:"PARLEY_CONFIG" placeholder:"FILE"`
}

const description = `Parley turns recorded calls into transcripts and conversation analytics, on your own machine.

Start with "parley demo". A flag whose help names a variable such as $PARLEY_SERVER can be set in the environment.
Every flag can be set in a file given with --config.`

func main() {
	sandbox.Main()
	os.Exit(run(os.Args[1:]))
}

// run runs the program with the given arguments and returns the exit code.
func run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	parser := newParser(ctx)
	if len(args) == 1 && args[0] == "--version" { // not a global flag: some commands have a --version of their own
		args = []string{"version"}
	}
	command, err := parser.Parse(args)
	if err != nil {
		return misused(parser, err)
	}
	if err := command.Run(); err != nil {
		return report(err)
	}
	return 0
}

// offers lists the choices of flags, for their help and validation.
var offers = kong.Vars{
	"formats": fault.Choice(caption.All), "format": fault.List(caption.All), "streams": fault.Choice(media.Recordings),
}

func newParser(ctx context.Context) *kong.Kong {
	parser := kong.Must(&cli{},
		kong.Name("parley"), kong.Description(description), kong.ShortUsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true, WrapUpperBound: 100}),
		kong.Configuration(yamlSettings),
		offers,
		kong.BindTo(ctx, (*context.Context)(nil)),
	)
	addExamples(parser.Model.Node, "")
	return parser
}
