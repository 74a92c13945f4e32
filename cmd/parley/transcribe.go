package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"parley/internal/call/caption"
	"parley/internal/call/plan"
	"parley/internal/call/wire"
	"parley/internal/flow/pipeline"
	"parley/internal/operation/config"
	"parley/internal/operation/server"
	"parley/internal/speech/audio"
	"parley/internal/words/fault"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
)

// transcribeCommand transcribes files without a server.
type transcribeCommand struct {
	Files       []string `arg:"" name:"file" help:"Recordings, in any format that ffmpeg decodes." type:"existingfile"`
	Format      string   `help:"Output: ${formats}." default:"text" enum:"${format}"`
	Speakers    []string `help:"Names of the speakers of the channels, left first; each channel is then recognised separately." placeholder:"NAME,…"`
	Language    string   `help:"Spoken language." default:"en-US" placeholder:"TAG"`
	Vocabulary  []string `help:"File with custom words, such as product names: one per line, or a vocabulary as JSON. May be given more than once." placeholder:"FILE" type:"existingfile" sep:"none"`
	Punctuation bool     `help:"Restore punctuation and capitals." default:"true" negatable:""`
	Diarize     bool     `help:"Separate the two speakers of a mono call."`
	Output      string   `help:"Folder for one file per recording; default: standard output." placeholder:"DIR" type:"existingdir"`
	Force       bool     `help:"Replace existing files in --output."`
	Data        string   `help:"Data directory with the installed models." default:"data" env:"PARLEY_DATA_DIR" placeholder:"DIR" type:"path"`
	engineFlags
}

// Run transcribes the given files; the exit code is 1 if one failed.
func (c *transcribeCommand) Run(ctx context.Context) error {
	engine, pool, err := c.open(ctx, c.Data)
	if err != nil {
		return err
	}
	defer pool.Close()
	work := transcription{engine: engine}
	if work.plan, err = c.plan(engine); err != nil {
		return err
	}
	if work.formatter, err = pipeline.NewFormatter(); err != nil {
		return err
	}
	if c.Diarize {
		storage := config.Storage{Dir: c.Data}
		work.voices = server.NewVoices(ctx, storage, c.Sherpa, runtime.NumCPU(),
			slog.New(slog.NewTextHandler(os.Stderr, nil)))
	}
	done, err := each(ctx, c.Files, func(path string) error { return c.one(ctx, work, path) })
	if err != nil {
		return err
	}
	return recordingsDone(len(done), len(c.Files))
}

// one transcribes one file.
func (c *transcribeCommand) one(ctx context.Context, work transcription, path string) error {
	output := c.output(path)
	if output != "" {
		if err := vacant(output, c.Force); err != nil {
			return err
		}
	}
	progress := newBar(os.Stderr, filepath.Base(path))
	t, warnings, err := work.file(ctx, path, func(percent int) { progress.Set(percent, "recognising") })
	if err != nil {
		progress.Done("failed")
		return err
	}
	progress.Done("done")
	for _, w := range warnings {
		fmt.Fprintf(os.Stderr, "%s: %s\n", path, w.Message)
	}
	return c.write(output, t)
}

// output returns the file for the transcript of a recording; empty for standard output.
func (c *transcribeCommand) output(path string) string {
	if c.Output == "" {
		return ""
	}
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) + caption.Format(c.Format).Extension()
	return filepath.Join(c.Output, name)
}

// plan returns the plan of the flags. It converts them to a configuration, so that both have the same meaning.
func (c *transcribeCommand) plan(engine pipeline.Engine) (*plan.Plan, error) {
	speech := map[string]any{"language": c.Language}
	features := []plan.Feature{}
	flags := map[string]string{"/speechModel/language": "--language", "/ingest": "--speakers"} // by JSON pointer
	for _, f := range []struct {
		asked   bool
		feature plan.Feature
		flag    string
	}{
		{c.Punctuation, plan.AdvancedPunctuation, "--punctuation (--no-punctuation turns it off)"},
		{c.Diarize, plan.Diarization, "--diarize"},
	} {
		if f.asked {
			flags[fmt.Sprintf("/speechModel/features/%d", len(features))] = f.flag
			features = append(features, f.feature)
		}
	}
	speech["features"] = features
	configuration := map[string]any{"speechModel": speech}
	if len(c.Speakers) > 0 {
		var channels []map[string]any
		for _, name := range c.Speakers {
			channels = append(channels, map[string]any{"speakerName": name})
		}
		configuration["ingest"] = map[string]any{"channels": channels}
	}
	var vocabularies []any
	for _, path := range c.Vocabulary {
		words, err := readVocabulary(path)
		if err != nil {
			return nil, err
		}
		flags[fmt.Sprintf("/vocabularies/%d", len(vocabularies))] = "--vocabulary " + path
		vocabularies = append(vocabularies, words)
	}
	configuration["vocabularies"] = vocabularies
	raw, err := wire.Marshal(configuration)
	if err != nil {
		return nil, err
	}
	request, err := plan.Parse(raw)
	if err != nil {
		return nil, err
	}
	p, err := plan.Resolve(request,
		plan.Environment{Models: pipeline.Engines{engine}.Models(), Built: pipeline.Built()})
	return p, nameFlags(err, flags)
}

// nameFlags replaces JSON pointers in an error with the flags that they come from.
func nameFlags(err error, flags map[string]string) error {
	found, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return err
	}
	var all []error
	for _, p := range found.Problems {
		text := p.Message
		for place, flag := range flags {
			if rest, ok := strings.CutPrefix(text, place); ok && strings.HasPrefix(rest, ":") {
				text = flag + rest
			} else if ok && strings.HasPrefix(rest, "/") { // a pointer into the value
				text = flag + ": " + rest
			}
		}
		all = append(all, errors.New(text))
	}
	return misuse(errors.Join(all...))
}

// transcription is what all files share.
type transcription struct {
	engine    pipeline.Engine
	plan      *plan.Plan
	formatter *pipeline.Formatter
	voices    pipeline.Voices // nil: speakers are separated without neural models
}

// file decodes, recognises and formats one recording.
func (w transcription) file(
	ctx context.Context, path string, progress func(percent int),
) (*transcript.Transcript, []fault.Problem, error) {
	contentType, err := sniff(path)
	if err != nil {
		return nil, nil, err
	}
	decoder := audio.Decoder{}
	decoded, err := decoder.Decode(ctx, path, contentType)
	if err != nil {
		return nil, nil, err
	}
	defer decoded.Close()
	progress(0)
	t, warnings, err := pipeline.Transcribe(ctx, w.engine, decoded, w.plan, pipeline.NoArtifacts{}, progress)
	if err != nil {
		return nil, nil, err
	}
	if t, err = pipeline.Diarize(ctx, w.voices, decoded, t, w.plan); err != nil {
		return nil, nil, err
	}
	return w.formatter.Format(t, w.plan), append(decoded.Warnings, warnings...), nil
}

func sniff(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, audio.HeadSize))
	return audio.ContentType(head, path), err
}

// write prints the transcript, or writes it to the output file.
func (c *transcribeCommand) write(output string, t *transcript.Transcript) error {
	body, err := render(t, caption.Format(c.Format))
	if err != nil {
		return err
	}
	if output == "" {
		_, err = os.Stdout.Write(body)
		return err
	}
	return writeFile(output, c.Force, verbatim(body))
}

func render(t *transcript.Transcript, format caption.Format) ([]byte, error) {
	if format == caption.JSON {
		m := &media.Media{Status: media.Finished, Length: t.Length}
		return wire.Marshal(wire.NewTranscript(m, t, nil).Transcript)
	}
	return caption.Render(t, format), nil
}
