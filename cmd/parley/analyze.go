package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"parley/internal/call/plan"
	"parley/internal/call/wire"
	"parley/internal/flow/pipeline"
	"parley/internal/speech/importer"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
)

// analyzeCommand runs the analyses of a server on a transcript, without a server.
type analyzeCommand struct {
	Transcript    string `arg:"" help:"Transcript: a result with word times (of Parley, VoiceBase, AWS Transcribe or Bedrock, Deepgram, Whisper) or plain text; - reads standard input." type:"existingfile"`
	Configuration string `help:"File with an upload configuration (JSON); without it, all analyses run." type:"existingfile" placeholder:"FILE"`
	Definitions   string `help:"Folder with the definitions that the configuration refers to: spotting/groups/NAME.json, categories/NAME.json." type:"existingdir" placeholder:"DIR"`
	Metadata      string `help:"File with metadata (JSON), which categories may use." type:"existingfile" placeholder:"FILE"`
	Format        string `help:"Output: report, for people, or json, the media item." default:"report" enum:"report,json"`
}

// Run analyses one transcript.
func (c *analyzeCommand) Run(ctx context.Context) error {
	m, err := c.media()
	if err != nil {
		return err
	}
	given, warnings, err := c.given()
	if err != nil {
		return err
	}
	p, err := c.plan()
	if err != nil {
		return err
	}
	item, err := analyze(ctx, m, given, p, warnings)
	if err != nil {
		return err
	}
	if c.Format == "report" {
		return writeReport(os.Stdout, item)
	}
	body, err := wire.Marshal(wire.NewMedia(item))
	if err == nil {
		_, err = os.Stdout.Write(append(body, '\n'))
	}
	return err
}

// analyze processes words like a server does with words that come with a recording.
func analyze(
	ctx context.Context, m media.Media, given *transcript.Transcript, p *plan.Plan, warnings []fault.Problem,
) (wire.Item, error) {
	formatter, err := pipeline.NewFormatter()
	if err != nil {
		return wire.Item{}, err
	}
	analyst, err := pipeline.NewAnalyst()
	if err != nil {
		return wire.Item{}, err
	}
	said, more := pipeline.Import(given, given.Length, p)
	clear := pipeline.Conceal(said, p)
	m.Length = given.Length
	classifiers, err := analyst.Classifiers(p, nil) // all classifiers are built in
	if err != nil {
		return wire.Item{}, err
	}
	open, err := analyst.Result(ctx, &m, formatter.Format(clear.Transcript, p), clear, p, classifiers,
		append(warnings, more...))
	if err != nil {
		return wire.Item{}, err
	}
	m.Warnings = open.Warnings
	return wire.Item{Media: &m, Account: account.Account{Name: account.DefaultName}, Transcript: open.Transcript,
		Findings: open.Findings}, nil
}

// media returns an item for the transcript.
func (c *analyzeCommand) media() (media.Media, error) {
	now := time.Now().UTC()
	m := media.Media{Status: media.Finished, Created: now, Finished: now}
	var err error
	if m.ID, err = media.NewID(); err != nil || c.Metadata == "" {
		return m, err
	}
	raw, err := readInput(c.Metadata)
	if err != nil {
		return m, err
	}
	m.Metadata, err = media.ParseMetadata(raw)
	return m, inFile(c.Metadata, err)
}

// given reads the transcript.
func (c *analyzeCommand) given() (*transcript.Transcript, []fault.Problem, error) {
	raw, err := readInput(c.Transcript)
	if err != nil {
		return nil, nil, err
	}
	g, err := importer.Parse(raw)
	if err != nil {
		return nil, nil, inFile(c.Transcript, err)
	}
	if g.Timed {
		return g.Transcript, nil, nil
	}
	return addTimes(g.Transcript), []fault.Problem{{Code: fault.CodeAlignment,
		Message: fmt.Sprintf("the transcript has no times; each word is assumed to last %s", pace)}}, nil
}

// pace is the assumed duration of a word in a text without times: people speak 150 words per minute.
const pace = 400 * time.Millisecond

// addTimes assigns times to the words of a text.
func addTimes(t *transcript.Transcript) *transcript.Transcript {
	out := *t
	out.Words, out.Length = nil, 0
	for _, w := range t.Words {
		w.Start, w.End = out.Length, out.Length
		if w.Kind != transcript.Punctuation {
			w.End += pace
		}
		out.Length = w.End
		out.Words = append(out.Words, w)
	}
	return &out
}

// plan returns the plan of the configuration; without one, a plan with every analysis.
func (c *analyzeCommand) plan() (*plan.Plan, error) {
	env := plan.Environment{Built: pipeline.Built(), WordsGiven: true, Kept: true}
	var raw []byte
	var err error
	if c.Configuration == "" {
		if env.Definitions, err = c.everyDefinition(); err != nil {
			return nil, err
		}
		raw = plan.Everything(env.Built, env.Definitions)
	} else if raw, err = readInput(c.Configuration); err != nil {
		return nil, err
	}
	request, err := plan.Parse(raw)
	if err == nil && c.Configuration != "" {
		env.Definitions, err = c.definitions(request.References())
	}
	if err != nil {
		return nil, inFile(c.Configuration, err)
	}
	p, err := plan.Resolve(request, env)
	return p, inFile(c.Configuration, err)
}
