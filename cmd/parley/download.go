package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/terminal/client"
)

// downloadCommand downloads streams.
type downloadCommand struct {
	IDs []string `arg:"" name:"media-id" help:"Ids of recordings, as submit and list print them."`
	connection
	Stream string `help:"Which stream: ${streams}; default: ${default}." default:"original" placeholder:"NAME"`
	Output string `short:"o" help:"File, or an existing folder, in which the file gets the name given by the server; - writes to standard output; default: the current folder." default:"." placeholder:"FILE|DIR"`
	Force  bool   `help:"Replace existing files."`
}

// Run downloads the streams one by one.
func (c *downloadCommand) Run(ctx context.Context) error {
	folder := false
	if info, err := os.Stat(c.Output); err == nil {
		folder = info.IsDir()
	}
	if len(c.IDs) > 1 && !folder {
		return usagef("--output %s is not a folder, but there are %d recordings; name an existing folder", c.Output,
			len(c.IDs))
	}
	cl, err := c.client()
	if err != nil {
		return err
	}
	return every(ctx, c.IDs, false, func(id string) error {
		if c.Output == "-" {
			s, err := cl.OpenStream(ctx, id, c.Stream, 0, "")
			if err != nil {
				return err
			}
			return copyStream(os.Stdout, s, id)
		}
		head, err := cl.StreamHead(ctx, id, c.Stream)
		if err != nil {
			return err
		}
		path := c.Output
		if folder {
			path = filepath.Join(c.Output, nameOf(head, id, c.Stream))
		}
		if err := c.fetch(ctx, cl, id, head, path); err != nil {
			return err
		}
		fmt.Println(path)
		return nil
	})
}

// nameOf returns a file name for a stream: never a path, whatever the server sends.
func nameOf(s *client.Stream, id, stream string) string {
	name := filepath.Base(s.Filename)
	if s.Filename == "" || strings.HasPrefix(name, ".") || strings.ContainsAny(name, "/\\") {
		return filepath.Base(id) + "-" + filepath.Base(stream)
	}
	return name
}

// fetch downloads into a partial file next to the target, and renames it when it is complete. It continues an
// interrupted download of the same bytes.
func (c *downloadCommand) fetch(
	ctx context.Context, cl *client.Client, id string, head *client.Stream, path string,
) error {
	if info, err := os.Stat(path); err != nil || info.Size() != head.Size { // others are compared
		if err := vacant(path, c.Force); err != nil {
			return err
		}
	}
	part, err := os.OpenFile(path+"."+tagOf(head)+".part", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer part.Close()
	have, err := part.Seek(0, io.SeekEnd)
	if err == nil && have > head.Size {
		have, err = 0, part.Truncate(0)
	}
	if err != nil {
		return err
	}
	if have < head.Size || head.Size == 0 {
		if err := c.complete(ctx, cl, id, head, part, have); err != nil {
			return fmt.Errorf("%w; run the command again to continue the download in %s", err, part.Name())
		}
	}
	if err := errors.Join(part.Sync(), part.Close()); err != nil {
		return err
	}
	return publish(part.Name(), path, c.Force)
}

// complete appends the remaining bytes of a stream.
func (c *downloadCommand) complete(
	ctx context.Context, cl *client.Client, id string, head *client.Stream, part *os.File, have int64,
) error {
	s, err := cl.OpenStream(ctx, id, c.Stream, have, head.ETag)
	if err != nil {
		return err
	}
	if s.ETag != head.ETag {
		s.Body.Close()
		return errors.New("the stream changed during the download")
	}
	if s.Offset != have { // the server starts from the beginning
		if err := part.Truncate(0); err != nil {
			s.Body.Close()
			return err
		}
	}
	if _, err := part.Seek(s.Offset, io.SeekStart); err != nil {
		s.Body.Close()
		return err
	}
	return copyStream(part, s, filepath.Base(part.Name()))
}

// copyStream copies the rest of a stream, and shows the progress on a terminal.
func copyStream(to io.Writer, s *client.Stream, name string) error {
	defer s.Body.Close()
	var from io.Reader = s.Body
	if onTerminal(os.Stderr) && s.Size > 0 {
		progress := newBar(os.Stderr, name)
		defer progress.Done("")
		from = &counting{s.Body, s.Offset, func(n int64) { progress.Set(int(100*n/s.Size), megabytes(s.Size)) }}
	}
	n, err := io.Copy(to, from)
	if got := s.Offset + n; err == nil && s.Size >= 0 && got != s.Size {
		err = fmt.Errorf("the server sent %d of %d bytes", got, s.Size)
	}
	return err
}

// counting reports how much was read.
type counting struct {
	io.Reader
	n      int64
	report func(n int64)
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	c.report(c.n)
	return n, err
}

// tagOf converts an entity tag to characters that are valid in file names.
func tagOf(s *client.Stream) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return -1
	}, s.ETag[:min(len(s.ETag), 18)])
}
