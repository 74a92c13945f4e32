// Package line lets any program be a recogniser. The program runs as a child process, reads requests and audio from
// its standard input, and writes JSON lines to its standard output, as described in docs/engines.md.
//
// Serve implements the child's side. Pool implements the parent's side: an asr.Recognizer over several children,
// which tolerates crashes, hangs and invalid answers. The package does not depend on particular engines.
package line

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"parley/internal/speech/asr"
	"parley/internal/words/sound"
)

// longestRequest is the maximum length of a request line in bytes. Vocabularies may be large.
const longestRequest = 64 << 20

const rate = 16000 // of all audio, in samples per second

// Serve sends the engine's description to the parent, then answers requests one at a time. It returns nil at the end
// of in, or an error if the input violates the protocol. Errors of the recogniser are sent as answers.
func Serve(ctx context.Context, in io.Reader, out io.Writer, info asr.Info, recognizer asr.Recognizer) error {
	err := write(out, hello{
		Protocol: protocol, Engine: info.Engine, Model: info.Model, Version: info.Version,
		Languages: info.Languages, MaxChunk: info.MaxChunk.Seconds(), Aligns: info.Aligns, Adapts: info.Adapts,
	})
	reader := bufio.NewReaderSize(in, 1<<16)
	for err == nil {
		err = serveOne(ctx, reader, out, info, recognizer)
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// Refuse tells the parent why the engine cannot work.
func Refuse(out io.Writer, reason error) error {
	return write(out, hello{Protocol: protocol, Error: failureOf(reason)})
}

// serveOne answers one request. It returns io.EOF if there are no more.
func serveOne(ctx context.Context, in *bufio.Reader, out io.Writer, info asr.Info, recognizer asr.Recognizer) error {
	data, err := readLine(in, longestRequest)
	if err != nil {
		return err
	}
	var q question
	if err := json.Unmarshal(data, &q); err != nil {
		return fmt.Errorf("request: %w", err)
	}
	if longest := int(info.MaxChunk.Seconds() * rate); q.Rate != rate || q.Samples < 0 || q.Samples > longest {
		return fmt.Errorf("request: %d samples at %d Hz are not supported; send up to %d at %d Hz", q.Samples, q.Rate,
			longest, rate)
	}
	r := q.request()
	r.PCM = &sound.PCM{Rate: q.Rate, Samples: make([]int16, q.Samples)}
	if err := binary.Read(in, binary.LittleEndian, r.PCM.Samples); err != nil {
		return fmt.Errorf("audio of the request: %w", noEnd(err))
	}
	recognition, err := recognizer.Recognize(ctx, r)
	return write(out, reply(q.ID, recognition, err))
}

func write(out io.Writer, message any) error {
	data, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = out.Write(append(data, '\n'))
	return err
}

var errTooLong = errors.New("the line is too long")

// readLine reads one line and strips its line end. It returns io.EOF only before the first byte.
func readLine(in *bufio.Reader, longest int) ([]byte, error) {
	var data []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(data)+len(part) > longest {
			return nil, errTooLong
		}
		data = append(data, part...)
		switch {
		case err == nil:
			return data[:len(data)-1], nil
		case err == bufio.ErrBufferFull:
		case len(data) > 0:
			return nil, noEnd(err)
		default:
			return nil, err
		}
	}
}

// noEnd turns io.EOF in the middle of a message into an error.
func noEnd(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
