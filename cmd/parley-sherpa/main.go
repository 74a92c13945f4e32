// Parley-sherpa is a recogniser for neural models: a program that loads a model with sherpa-onnx and speaks the
// line protocol of docs/engines.md on its standard input and output, or tells apart who speaks in a recording. "parley
// serve" starts it.
//
// It is a separate module, because it needs cgo and a C compiler, and the rest of Parley does not.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"parley/internal/speech/asr/line"
	"parley/internal/speech/asr/sherpa"
	"parley/internal/speech/modelstore"
)

const usage = `usage: parley-sherpa version
       parley-sherpa serve --model DIR [--threads N]
       parley-sherpa diarize --segmentation DIR --embedding DIR [--speakers N] [--threads N]`

func main() {
	signal.Ignore(syscall.SIGABRT) // when the library aborts, it prints the reason; suppress the dump of the Go runtime
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "parley-sherpa:", err)
		os.Exit(1)
	}
}

// run is main without access to the process.
func run(args []string, in io.Reader, out io.Writer) error {
	switch {
	case len(args) == 1 && args[0] == "version":
		_, err := fmt.Fprintln(out, sherpa.Greeting())
		return err
	case len(args) > 0 && args[0] == "serve":
		return serve(args[1:], in, out)
	case len(args) > 0 && args[0] == "diarize":
		return diarize(args[1:], in, out)
	}
	return errors.New(usage)
}

// serve answers requests until the input ends. If the model cannot be used, it reports the reason to the parent
// process.
func serve(args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	dir := flags.String("model", "", "folder of an installed model")
	threads := flags.Int("threads", 1, "threads of the network")
	if err := flags.Parse(args); err != nil {
		return err
	}
	recognizer, err := open(*dir, *threads)
	if err != nil {
		return errors.Join(err, line.Refuse(out, err))
	}
	defer recognizer.Close()
	return line.Serve(context.Background(), in, out, recognizer.info, recognizer)
}

// open loads the model in a folder.
func open(dir string, threads int) (*recognizer, error) {
	installed, err := modelstore.OpenFolder(dir)
	if err != nil {
		return nil, unavailable(err)
	}
	return newRecognizer(installed, threads)
}
