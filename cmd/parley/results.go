package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/call/caption"
	"parley/internal/terminal/client"
	"parley/internal/words/media"
)

// resultFlags has the flags of commands that process recordings.
type resultFlags struct {
	Transcript string `help:"File with the transcript of the recording: plain text, or a result with word times." type:"existingfile" placeholder:"FILE"`
	NoWait     bool   `help:"Return as soon as everything is accepted."`
	Format     string `help:"Print transcripts: none, ${formats}; default: ${default}. json prints one line per recording, with file, mediaId, status, error and transcript." default:"none" enum:"none, ${format}"`
	Output     string `short:"o" help:"Folder for the transcripts, one file each, such as call.srt or call.txt; default: standard output." placeholder:"DIR" type:"existingdir"`
	Force      bool   `help:"Replace existing files in --output."`
}

// report returns where the ids of recordings are printed: standard output, or standard error if transcripts are
// printed.
func (w resultFlags) report() *os.File {
	if w.Format == "none" {
		return os.Stdout
	}
	return os.Stderr
}

// contradiction refuses flags that contradict each other.
func (w resultFlags) contradiction() error {
	switch {
	case w.Output != "" && w.Format == "none":
		return usagef("--output needs the format of the transcripts; give --format %s", offers["formats"])
	case w.NoWait && (w.Output != "" || w.Format != "none" && w.Format != "json"):
		return usagef("--no-wait returns before there are transcripts; omit it, or omit --format %s", w.Format)
	}
	return nil
}

// results prints the results of recordings. Several texts get headings; documents of other formats cannot be separated
// on standard output.
type results struct {
	format  string // none prints nothing
	folder  string // for one file per recording; empty: standard output
	several bool
	force   bool           // replace existing files
	files   map[string]int // number of recordings per file name without extension
	printed int
}

// newResults returns a printer for the results of recordings with the given names: paths or ids.
func newResults(format, folder string, force bool, names []string) (*results, error) {
	r := &results{format: format, folder: folder, several: len(names) > 1, force: force, files: map[string]int{}}
	for _, name := range names {
		r.files[stem(name)]++
		if format == "json" && folder != "" && filepath.Ext(name) != "" && sameFolder(folder, filepath.Dir(name)) {
			return nil, usagef("--output %s contains %s, whose metadata file is %s.json; name another folder",
				folder, name, stem(name))
		}
	}
	if r.several && folder == "" && caption.Format(format).Timed() {
		return nil, usagef("--format %s of %d recordings needs --output DIR, a folder for one file per recording", format,
			len(names))
	}
	return r, nil
}

func stem(name string) string { return strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)) }

func sameFolder(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// resultLine is one recording in JSON output of several.
type resultLine struct {
	File       string          `json:"file,omitempty"`
	MediaID    string          `json:"mediaId,omitempty"`
	Status     string          `json:"status"`
	Error      string          `json:"error,omitempty"`
	Transcript json.RawMessage `json:"transcript,omitempty"`
}

// line prints a recording as JSON; other formats have nothing of the kind.
func (r *results) line(l resultLine) error {
	if r.format != "json" {
		return nil
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(l)
}

// show prints a transcript, or writes it to its file and prints the path. It leaves JSON unchanged.
func (r *results) show(name, id string, body []byte) error {
	if r.folder != "" {
		file := stem(name)
		if r.files[file] > 1 {
			file += "-" + filepath.Base(id)
		}
		path := filepath.Join(r.folder, file+caption.Format(r.format).Extension())
		err := writeFile(path, r.force, verbatim(body))
		if err == nil {
			fmt.Println(path)
		}
		return err
	}
	if r.format == "json" {
		return printLine(body)
	}
	if !r.several {
		return printText(body)
	}
	heading := fmt.Sprintf("==> %s (%s) <==", harmless(name), id)
	if name == id {
		heading = fmt.Sprintf("==> %s <==", id)
	}
	if r.printed++; r.printed > 1 {
		heading = "\n" + heading
	}
	fmt.Println(heading)
	return printText(body)
}

// transcript downloads the transcript of a finished recording and prints it, in a line of JSON if that is the format.
func (r *results) transcript(ctx context.Context, cl *client.Client, name, id string) error {
	if r.format == "none" {
		return nil
	}
	var body []byte
	err := cl.Patience.Do(ctx, func() (err error) { body, err = cl.Transcript(ctx, id, r.format); return err })
	if err != nil || r.format != "json" || r.folder != "" {
		if err == nil {
			err = r.show(name, id, body)
		}
		return err
	}
	item, err := read[struct {
		Status     string          `json:"status"`
		Transcript json.RawMessage `json:"transcript"`
	}](body)
	if err != nil {
		return err
	}
	return r.line(resultLine{File: fileOf(name, id), MediaID: id, Status: item.Status, Transcript: item.Transcript})
}

// failed prints the line of a recording without a result.
func (r *results) failed(name, id string, err error) error {
	return r.line(resultLine{File: fileOf(name, id), MediaID: id, Status: "failed", Error: explain(err)})
}

// fileOf returns the path of a recording that is identified by a path; empty if it is identified by its id.
func fileOf(name, id string) string {
	if name == id {
		return ""
	}
	return name
}

// transcriptCommand prints transcripts.
type transcriptCommand struct {
	IDs []string `arg:"" name:"media-id" help:"Ids of recordings, as submit and list print them."`
	connection
	Format string `help:"Format: ${formats}; default: ${default}." default:"text" enum:"${format}"`
	JSON   bool   `help:"The same as --format json: one line per recording." name:"json"`
	Output string `short:"o" help:"Folder for the transcripts, one file each, such as MEDIA-ID.srt or MEDIA-ID.txt; default: standard output." placeholder:"DIR" type:"existingdir"`
	Force  bool   `help:"Replace existing files in --output."`
}

func (c *transcriptCommand) Run(ctx context.Context) error {
	if c.JSON && c.Format != "text" && c.Format != "json" {
		return usagef("--json and --format %s contradict each other; give one of them", c.Format)
	}
	if c.JSON {
		c.Format = "json"
	}
	out, err := newResults(c.Format, c.Output, c.Force, c.IDs)
	if err != nil {
		return err
	}
	cl, err := c.client()
	if err != nil {
		return err
	}
	return every(ctx, c.IDs, c.Format == "json", func(id string) error {
		body, err := cl.Transcript(ctx, id, c.Format)
		if err != nil {
			return err
		}
		name := id
		if c.Format == "text" && out.several && c.Output == "" {
			name = titleOf(ctx, cl, id)
		}
		return out.show(name, id, body)
	})
}

// titleOf returns the title of a recording, or its id if it has none.
func titleOf(ctx context.Context, cl *client.Client, id string) string {
	body, err := cl.Metadata(ctx, id)
	if err != nil {
		return id
	}
	if known, err := media.ParseMetadata(body); err == nil && known.Title() != "" {
		return short(known.Title())
	}
	return id
}

// printText prints text; on a terminal it removes control characters.
func printText(body []byte) error {
	if onTerminal(os.Stdout) {
		var b bytes.Buffer
		for line := range bytes.Lines(body) {
			b.WriteString(harmless(strings.TrimRight(string(line), "\r\n")) + "\n")
		}
		body = b.Bytes()
	}
	_, err := os.Stdout.Write(body)
	return err
}
