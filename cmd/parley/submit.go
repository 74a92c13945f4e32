package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"

	"parley/internal/call/plan"
	"parley/internal/speech/importer"
	"parley/internal/terminal/batch"
	"parley/internal/terminal/client"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// pollEvery is the interval between requests for the progress.
const pollEvery = 500 * time.Millisecond

// submitCommand uploads recordings to a server and waits for their results.
type submitCommand struct {
	Paths []string `arg:"" name:"path" help:"Recordings, or folders with recordings; other files are skipped." type:"path"`
	connection
	Configuration string `help:"File with the upload configuration (JSON). Unless it says otherwise, punctuation is restored and the recordings are indexed for parley query." type:"existingfile" placeholder:"FILE"`
	Metadata      string `help:"File with metadata (JSON) for all recordings. A file call.json next to call.wav has the metadata of that recording." type:"existingfile" placeholder:"FILE"`
	MetadataCSV   string `name:"metadata-csv" help:"File with metadata: a column named file, and columns named by paths such as externalId, callDetails.agent.fullName or extended.campaign." type:"existingfile" placeholder:"FILE"`
	SkipMissing   bool   `help:"Skip rows of --metadata-csv whose file does not exist."`
	NamePattern   string `help:"Pattern of file names that contain metadata, such as '{externalId}_{extended.campaign}_{callDetails.callStartTime}'; {} matches text to ignore." placeholder:"PATTERN"`
	Again         bool   `help:"Send recordings again that were sent before."`
	resultFlags
}

// Run uploads the recordings one by one, then waits for all; the exit code is 1 if one failed.
func (c *submitCommand) Run(ctx context.Context) error {
	if err := c.contradiction(); err != nil {
		return err
	}
	all, refused, err := c.recordings()
	if err != nil {
		return err
	}
	form, err := readDocuments(c.Configuration, "", c.Transcript)
	if err != nil {
		return err
	}
	form.Configuration = withDefaults(form.Configuration)
	paths := make([]string, len(all))
	known := map[string][]byte{}
	for i, r := range all {
		paths[i] = r.Path
		known[r.Path] = r.Metadata
	}
	out, err := newResults(c.Format, c.Output, c.Force, paths)
	if err != nil {
		return err
	}
	cl, err := c.client()
	if err != nil {
		return err
	}
	if err := greet(ctx, cl); err != nil {
		return err
	}
	for _, s := range refused {
		out.line(resultLine{File: s.Path, Status: "refused", Error: s.Why})
	}
	s := &sender{
		submitCommand: c, client: cl, form: form, ledger: openLedger(cl.Base), out: out, all: len(all),
		ids: map[string]string{}, sent: map[batch.Sum]batch.Entry{},
	}
	done, err := each(ctx, paths, func(path string) error { return s.send(ctx, path, known[path]) })
	if err == nil && !c.NoWait {
		next := 0
		done, err = each(ctx, done, func(path string) error {
			next++
			return wait(ctx, cl, numbered(next, len(s.ids), filepath.Base(path)), path, s.ids[path], out)
		})
	}
	if err != nil {
		return err
	}
	return recordingsDone(len(done), len(all)+len(refused))
}

// recordings returns the recordings to send, with their metadata. A file named by the user that is not a recording is
// refused; others are skipped.
func (c *submitCommand) recordings() (all []batch.Recording, refused []batch.Skip, err error) {
	from := batch.Sources{CSV: c.MetadataCSV, SkipMissing: c.SkipMissing}
	if c.NamePattern != "" {
		if from.Pattern, err = batch.ParsePattern(c.NamePattern); err != nil {
			return nil, nil, misuse(err)
		}
	}
	shared, err := readDocuments("", c.Metadata, "")
	if err != nil {
		return nil, nil, err
	}
	from.Shared = []byte(shared.Metadata)
	for _, path := range c.Paths {
		if _, err := os.Stat(path); err != nil {
			return nil, nil, misuse(err)
		}
	}
	all, skipped, err := batch.Find(c.Paths, c.Configuration, c.Metadata, c.MetadataCSV, c.Transcript)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range skipped {
		if s.Named {
			refused = append(refused, s)
		}
		fmt.Fprintf(os.Stderr, "skipped %s: %s\n", s.Path, s.Why)
	}
	if len(all) == 0 {
		return nil, nil, fmt.Errorf("no recordings in %s", strings.Join(c.Paths, ", "))
	}
	if c.Transcript != "" && len(all) != 1 {
		return nil, nil, usagef("--transcript applies to one recording, but there are %d", len(all))
	}
	warnings, err := batch.Describe(all, from)
	for _, w := range warnings {
		fmt.Fprintln(os.Stderr, "parley:", w)
	}
	return all, refused, err
}

// The defaults of uploads: recordings are indexed for queries, and transcripts have punctuation and capitals.
const (
	defaultIndexing = `{"publish":{"enableAnalyticIndexing":true}}`
	defaultSpeech   = `{"speechModel":{"features":["advancedPunctuation"]}}`
)

// withDefaults adds the defaults of uploads to a configuration. It keeps existing settings for indexing and for the
// speech model. An encrypted recording cannot be indexed. An invalid configuration is left unchanged, since others
// report its mistakes.
func withDefaults(configuration string) string {
	root, err := parseJSON([]byte(configuration))
	if configuration != "" && err != nil {
		return configuration
	}
	base := []byte("{}")
	if root.Get("speechModel") == nil {
		base = []byte(defaultSpeech)
	}
	if root.Get("publish", "enableAnalyticIndexing") == nil && root.Get("encryption", "publicKeyId") == nil {
		if base, err = batch.Merge(base, []byte(defaultIndexing)); err != nil {
			return configuration
		}
	}
	with, err := batch.Merge(base, []byte(configuration))
	if err != nil {
		return configuration
	}
	return string(with)
}

// openLedger returns the ledger of a server; nil, which stores nothing, if there is no place for it.
func openLedger(base string) *batch.Ledger {
	folder := os.Getenv("XDG_STATE_HOME")
	if home, err := os.UserHomeDir(); folder == "" && err == nil {
		folder = filepath.Join(home, ".local", "state")
	}
	if folder == "" {
		return nil
	}
	l, err := batch.OpenLedger(filepath.Join(folder, "parley", "sent"), base)
	if err != nil {
		fmt.Fprintln(os.Stderr, "parley: cannot read which recordings were sent before:", errorText(err))
		return nil
	}
	return l
}

// sender sends recordings to a server, each of them once.
type sender struct {
	*submitCommand
	client *client.Client
	form   client.Submission
	ledger *batch.Ledger // nil: none
	out    *results
	all    int
	ids    map[string]string         // by paths
	sent   map[batch.Sum]batch.Entry // by this command, for files with the same bytes
}

// send sends a recording unless the server already has it.
func (s *sender) send(ctx context.Context, path string, known []byte) error {
	err := s.sendOnce(ctx, path, known)
	if err != nil && ctx.Err() == nil {
		return errors.Join(err, s.out.failed(path, "", err))
	}
	return err
}

func (s *sender) sendOnce(ctx context.Context, path string, known []byte) error {
	sum, err := batch.SumOf(path)
	if err != nil {
		return err
	}
	metadata, err := sumOfMetadata(path, known)
	if err != nil {
		return err
	}
	sent := batch.Entry{
		Sum: sum, File: path, Metadata: metadata,
		Processing: batch.SumOfDocuments(s.form.Configuration, s.form.Transcript),
	}
	if other, ok := s.sent[sum]; ok && !s.Again && other.Metadata != sent.Metadata {
		return fmt.Errorf("it has the same bytes as %s, which was just sent, but other metadata, which would be lost; "+
			"give --again to send it as a separate recording", other.File)
	}
	s.form.IdempotencyKey = "again-" + uuid.NewString() // so that a retried request creates no second item
	if !s.Again {
		earlier, err := s.earlier(ctx, sum)
		if err != nil {
			return err
		}
		if earlier.MediaID != "" {
			s.sent[sum] = sent
			if earlier.Metadata == batch.SumOfDocuments(string(known)) { // earlier versions summed the default title, too
				earlier.Metadata = sent.Metadata
			}
			return s.reportEarlier(earlier, sent)
		}
		s.form.IdempotencyKey = "sha256-" + string(sum)
	}
	s.form.Metadata = string(known)
	item, err := upload(ctx, s.client, path, s.form)
	if err != nil {
		return s.explainRefusal(err)
	}
	s.sent[sum] = sent
	sent.MediaID, sent.Time = item.MediaID, time.Now().UTC()
	if s.ledger != nil {
		if err := s.ledger.Add(sent); err != nil {
			fmt.Fprintln(os.Stderr, "parley: cannot record that it was sent:", errorText(err))
		}
	}
	return s.note(path, item.MediaID, "sent")
}

// sumOfMetadata returns the sum of a recording's metadata, ignoring a title that is the file name.
func sumOfMetadata(path string, metadata []byte) (batch.Sum, error) {
	known, err := media.ParseMetadata(metadata)
	if err == nil && known.Title() == filepath.Base(path) {
		metadata, err = batch.Merge(metadata, []byte(`{"title":""}`))
	}
	return batch.SumOfDocuments(string(metadata)), err
}

// explainRefusal explains why the server refused a recording.
func (s *sender) explainRefusal(err error) error {
	refused, ok := errors.AsType[*client.Error](err)
	switch {
	case !ok:
		return err
	case refused.Status == http.StatusConflict:
		return fmt.Errorf("the server received these bytes with other documents in the last 24 hours; give --again "+
			"to send them again, or change the existing recording with parley reprocess or parley metadata: %w", err)
	case refused.Status == http.StatusBadRequest && s.Configuration != "" && len(refused.Problems) > 0 &&
		strings.HasPrefix(refused.Problems[0].Message, "configuration: "):
		return sharedError{fmt.Errorf("--configuration %s: %w", s.Configuration, err)}
	}
	return err
}

// earlier returns the earlier upload of the same bytes that is still on the server; a zero Entry if there is none.
func (s *sender) earlier(ctx context.Context, sum batch.Sum) (batch.Entry, error) {
	if s.ledger == nil {
		return batch.Entry{}, nil
	}
	sent, ok := s.ledger.Find(sum)
	if !ok {
		return batch.Entry{}, nil
	}
	err := s.client.Patience.Do(ctx, func() error { _, err := s.client.Item(ctx, sent.MediaID); return err })
	if refused, ok := errors.AsType[*client.Error](err); ok && refused.Status == http.StatusNotFound {
		return batch.Entry{}, nil // deleted, or of another account
	}
	return sent, err
}

// reportEarlier reports that a recording was sent before, and which of the current documents its earlier upload lacked.
func (s *sender) reportEarlier(earlier, now batch.Entry) error {
	id := earlier.MediaID
	err := s.note(now.File, id, fmt.Sprintf("was sent before, as %s; give --again to send it again", id))
	if earlier.Metadata != now.Metadata {
		fmt.Fprintf(os.Stderr, "    it was sent with other metadata, which it keeps; parley metadata %s --put FILE "+
			"replaces it\n", id)
	}
	if earlier.Processing != now.Processing {
		with := "--configuration FILE"
		if s.Configuration != "" {
			with = "--configuration " + s.Configuration
		}
		if s.Transcript != "" {
			with = "--transcript " + s.Transcript
		}
		fmt.Fprintf(os.Stderr, "    it was sent with another configuration or transcript, whose results it keeps; "+
			"parley reprocess %s %s applies this one\n", id, with)
	}
	return err
}

// note prints the id of a recording for programs, and the count for people.
func (s *sender) note(path, id, what string) error {
	s.ids[path] = id
	if s.all > 1 || what != "sent" {
		fmt.Fprintln(os.Stderr, numbered(len(s.ids), s.all, path+"  "+what))
	}
	if s.Format == "json" && s.NoWait {
		return s.out.line(resultLine{File: path, MediaID: id, Status: "accepted"})
	}
	fmt.Fprintf(s.report(), "%s  %s\n", id, path)
	return nil
}

// numbered prefixes a line with its number if there are several.
func numbered(n, of int, text string) string {
	if of < 2 {
		return text
	}
	return fmt.Sprintf("%d of %d  %s", n, of, text)
}

// upload sends one recording with its documents, and retries while the server is unavailable or busy. The idempotency
// key makes retries safe: the server answers a retried request with the item that the first one created, even if that
// answer was lost.
func upload(ctx context.Context, cl *client.Client, path string, form client.Submission) (item client.Item, err error) {
	err = cl.Patience.Do(ctx, func() error {
		item, err = uploadOnce(ctx, cl, path, form)
		return err
	})
	return item, err
}

func uploadOnce(ctx context.Context, cl *client.Client, path string, form client.Submission) (client.Item, error) {
	f, err := os.Open(path)
	if err != nil {
		return client.Item{}, err
	}
	defer f.Close()
	form.Name, form.Media = filepath.Base(path), f
	return cl.Submit(ctx, form)
}

// readDocuments reads and validates the parts that accompany each recording; an empty path means no part. It reports
// all problems that can be found in the files alone.
func readDocuments(configuration, metadata, transcript string) (form client.Submission, err error) {
	var wrong []error
	for _, d := range []struct {
		path  string
		into  *string
		check func([]byte) error
	}{
		{configuration, &form.Configuration, checkConfiguration},
		{metadata, &form.Metadata, func(raw []byte) error { _, err := media.ParseMetadata(raw); return err }},
		{transcript, &form.Transcript, func(raw []byte) error { _, err := importer.Parse(raw); return err }},
	} {
		if d.path == "" {
			continue
		}
		body, err := readInput(d.path)
		if err != nil {
			return form, err
		}
		wrong = append(wrong, inFile(d.path, d.check(body)))
		*d.into = string(body)
	}
	return form, errors.Join(wrong...)
}

func checkConfiguration(raw []byte) error {
	request, err := plan.Parse(raw)
	if err != nil {
		return err
	}
	return request.Check()
}

// inFile prefixes each problem with the name of a file.
func inFile(path string, err error) error {
	found, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return err
	}
	var all []error
	for _, p := range found.Problems {
		all = append(all, fmt.Errorf("%s: %s", path, p.Message))
	}
	return errors.Join(all...)
}

// wait shows the progress of one recording until it is finished, and prints its result.
func wait(ctx context.Context, cl *client.Client, shown, name, id string, out *results) error {
	item, err := follow(ctx, cl, id, shown)
	if err == nil {
		err = out.transcript(ctx, cl, name, id)
	}
	if err != nil && ctx.Err() == nil {
		err = errors.Join(err, out.failed(name, id, err))
	}
	for _, w := range item.Warnings {
		fmt.Fprintf(os.Stderr, "%s: %s\n", shown, w.Message)
	}
	return err
}

// follow shows an item's progress until it is finished; it returns an error if the item failed, or failed to be
// reprocessed.
func follow(ctx context.Context, cl *client.Client, id, name string) (client.Item, error) {
	progress := newBar(os.Stderr, name)
	item, err := cl.Wait(ctx, id, pollEvery, func(p client.Progress) { progress.Set(overall(p)) })
	if err != nil {
		progress.Done("interrupted")
		return item, err
	}
	again := item.Status == "finished" && len(item.Errors) > 0 // it has an earlier result
	if again {
		progress.Done("failed")
	} else {
		progress.Done(item.Status)
	}
	if item.Status == "finished" && !again {
		return item, nil
	}
	var why []string
	for _, problem := range item.Errors {
		why = append(why, problem.Error)
	}
	return item, errors.New(strings.Join(why, "; "))
}

// overall returns the percentage over all steps, with a weight of nine tenths for recognition, and the current
// activity.
func overall(p client.Progress) (percent int, doing string) {
	doing = p.Status
	share, others := 0, 0
	for _, t := range p.Tasks {
		if t.Status == "started" {
			doing = t.Display
		}
		if t.TaskID == "recognize" {
			share += 90 * t.Percent / 100
		} else {
			others++
			share += t.Percent / 10 / max(len(p.Tasks)-1, 1)
		}
	}
	if p.Status == "finished" {
		return 100, doing
	}
	return share, doing
}
