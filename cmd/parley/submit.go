package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"parley/internal/client"
)

// pollEvery is how often progress is asked for.
const pollEvery = 500 * time.Millisecond

// submitCommand uploads recordings to a server and waits for their results.
type submitCommand struct {
	Paths []string `arg:"" name:"path" help:"Recordings, or folders with recordings." type:"path"`
	connection
	Configuration string `help:"File with the upload configuration (JSON)." type:"existingfile" placeholder:"FILE"`
	Metadata      string `help:"File with metadata (JSON), the same for all." type:"existingfile" placeholder:"FILE"`
	waiting
}

// Run uploads one recording after the other, then waits for all; the exit code is 1 when one failed.
func (c *submitCommand) Run(ctx context.Context) error {
	files, err := recordings(c.Paths)
	if err != nil {
		return err
	}
	if c.Transcript != "" && len(files) != 1 {
		return fmt.Errorf("--transcript belongs to one recording, and there are %d", len(files))
	}
	form, err := readDocuments(c.Configuration, c.Metadata, c.Transcript)
	if err != nil {
		return err
	}
	cl := c.client()
	ids := map[string]string{}
	done, err := each(ctx, files, func(path string) error {
		item, err := send(ctx, cl, path, form)
		if err == nil {
			ids[path] = item.MediaID
			fmt.Printf("%s  %s\n", item.MediaID, path)
		}
		return err
	})
	if err == nil && !c.NoWait {
		done, err = each(ctx, done, func(path string) error { return wait(ctx, cl, path, ids[path], c.Format) })
	}
	if err != nil {
		return err
	}
	return recordingsDone(len(done), len(files))
}

// send uploads one recording with its documents.
func send(ctx context.Context, cl *client.Client, path string, form client.Submission) (client.Item, error) {
	f, err := os.Open(path)
	if err != nil {
		return client.Item{}, err
	}
	defer f.Close()
	form.Name, form.Media = filepath.Base(path), f
	return cl.Submit(ctx, form)
}

// readDocuments reads the parts that go with each recording; an empty path is a part that is left out.
func readDocuments(configuration, metadata, transcript string) (form client.Submission, err error) {
	for _, d := range []struct {
		path string
		into *string
	}{{configuration, &form.Configuration}, {metadata, &form.Metadata}, {transcript, &form.Transcript}} {
		if d.path == "" {
			continue
		}
		body, err := os.ReadFile(d.path)
		if err != nil {
			return form, err
		}
		*d.into = string(body)
	}
	return form, nil
}

// wait shows the progress of one item until it is done, and prints its transcript in a format unless that is none.
func wait(ctx context.Context, cl *client.Client, path, id, format string) error {
	item, err := follow(ctx, cl, id, filepath.Base(path))
	if err == nil && format != "none" {
		var body []byte
		if body, err = cl.Transcript(ctx, id, format); err == nil {
			_, err = os.Stdout.Write(body)
		}
	}
	for _, w := range item.Warnings {
		fmt.Fprintf(os.Stderr, "%s: %s\n", path, w.Message)
	}
	return err
}

// follow shows an item's progress until it is done; an item that failed, or failed to be processed again, is an error.
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

// overall is the percentage of all steps, recognition weighing as nine tenths, and what is being done.
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

// recordings lists the files of the paths, folders with everything below them but hidden files.
func recordings(paths []string) ([]string, error) {
	var files []string
	for _, root := range paths {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if path != root && strings.HasPrefix(entry.Name(), ".") {
				if entry.IsDir() {
					return fs.SkipDir
				}
				return nil
			}
			if !entry.IsDir() {
				files = append(files, path)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if len(files) == 0 {
		return nil, errors.New("no files in what was named")
	}
	return files, nil
}
