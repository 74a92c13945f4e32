// Package sherpa describes how the program parley-sherpa, which runs neural models with sherpa-onnx, uses an
// installed model: the name of the engine, the model families and their files, limits, and the command line.
//
// The models run in that program, which is a separate module because it needs a C compiler.
package sherpa

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/internal/host/sandbox"
	"parley/internal/speech/asr"
	"parley/internal/speech/modelstore"
	"parley/internal/words/fault"
	"parley/internal/words/list"
)

// Engine is the engine's name in manifests of models and in requests.
const Engine = "sherpa-onnx"

// Version is part of the fingerprint of stored results: the version of the library, and a revision number. Increment
// the revision with any change that affects the words or the command line. The program prints the version on request.
const Version = "1.12.25-2"

// Family describes how models of one architecture are run.
type Family struct {
	Name     string        // as in manifests
	Roles    []string      // files that a model requires
	MaxChunk time.Duration // longest audio of one request
	Terms    bool          // supports the terms of custom vocabularies
}

// Families lists the supported families. Whisper, in most published forms, and Moonshine return no times. Their words
// are distributed over the speech of a chunk, so their chunks are shorter than the models' limit.
func Families() []Family {
	transducer := []string{"encoder", "decoder", "joiner", "tokens"}
	return []Family{
		{Name: "transducer", Roles: transducer, MaxChunk: 30 * time.Second, Terms: true},
		{Name: "nemo_transducer", Roles: transducer, MaxChunk: 30 * time.Second, Terms: true},
		{Name: "nemo_ctc", Roles: []string{"model", "tokens"}, MaxChunk: 30 * time.Second},
		{Name: "sense_voice", Roles: []string{"model", "tokens"}, MaxChunk: 30 * time.Second},
		{Name: "whisper", Roles: []string{"encoder", "decoder", "tokens"}, MaxChunk: 20 * time.Second},
		{Name: "moonshine", Roles: []string{"preprocessor", "encoder", "uncachedDecoder", "cachedDecoder", "tokens"},
			MaxChunk: 12 * time.Second},
	}
}

// FamilyOf returns the family of a model. Its error, of kind Unavailable, says what is wrong with the manifest.
func FamilyOf(m modelstore.Installed) (Family, error) {
	if m.Engine != Engine || m.Kind != modelstore.Speech {
		return Family{}, unavailable("%s is a %s model of the engine %s, not a speech model of %s", m.Name, m.Kind,
			m.Engine, Engine)
	}
	all := Families()
	i := slices.IndexFunc(all, func(f Family) bool { return f.Name == m.Family })
	if i < 0 {
		names := list.Map(all, func(f Family) string { return f.Name })
		return Family{}, unavailable("%s: unsupported family %q; %s supports %s", m.Name, m.Family, Engine,
			strings.Join(names, ", "))
	}
	for _, role := range all[i].Roles {
		if m.File(role) == "" {
			return Family{}, unavailable("%s: model.json: files.%s is missing; the family %s needs it", m.Name, role,
				m.Family)
		}
	}
	return all[i], nil
}

// Describe returns the asr.Info of a model without loading it.
func Describe(m modelstore.Installed) (asr.Info, error) {
	family, err := FamilyOf(m)
	if err != nil {
		return asr.Info{}, err
	}
	info := asr.Info{
		Engine: Engine, Model: m.Name, Version: Version, Languages: m.Languages, MaxChunk: family.MaxChunk, Parallel: 1,
	}
	if len(m.SHA256) >= 8 {
		info.Version += "-" + m.SHA256[:8]
	}
	return info, nil
}

// Memory estimates the memory of one process with a model, in bytes: the weights as read and as packed for the
// processor, and the intermediate results of a chunk.
func Memory(m modelstore.Installed) uint64 { return 400<<20 + 2*weights(m) }

// MemoryLimit is the memory limit of one process in bytes. Exceeding it indicates a fault.
func MemoryLimit(m modelstore.Installed) uint64 { return 2<<30 + 4*weights(m) }

// weights is the size of a model's files, in bytes.
func weights(m modelstore.Installed) uint64 {
	var sum uint64
	for role := range m.Files {
		if info, err := os.Stat(m.File(role)); err == nil {
			sum += uint64(info.Size())
		}
	}
	return sum
}

// Command returns the command line of a recogniser with a model; it speaks the line protocol.
func Command(program string, m modelstore.Installed, threads int) []string {
	return []string{program, "serve", "--model", m.Dir, "--threads", strconv.Itoa(max(threads, 1))}
}

// Access returns the files that a process with the models may read, including the targets of links.
func Access(models ...modelstore.Installed) sandbox.Access {
	access := sandbox.Access{Scratch: true}
	for _, m := range models {
		access.Read = append(access.Read, m.Dir)
		for role := range m.Files {
			access.Read = append(access.Read, m.File(role))
		}
	}
	return access
}

// Check verifies that the program can be started and has this version. Its error is of kind Unavailable and says what
// to do.
func Check(ctx context.Context, program string) error {
	const patience = 20 * time.Second
	if _, err := os.Stat(program); err != nil {
		return unavailable("the program for neural models, %s, is missing; build it with \"make sherpa\"", program)
	}
	version := sandbox.Errand{Command: []string{program, "version"}, Time: patience, Most: 500}
	err := version.Run(ctx, nil, func(answer []byte) error {
		if got := strings.TrimSpace(string(answer)); got != Greeting() {
			return fmt.Errorf("the version is %.80q, not %q", got, Greeting())
		}
		return nil
	})
	if err != nil {
		return unavailable("%s: %w; build it with \"make sherpa\"", program, err)
	}
	return nil
}

// Greeting is the program's answer to "version".
func Greeting() string { return Engine + " " + Version }

func unavailable(format string, args ...any) error {
	return fault.New(fault.Unavailable, fault.CodeEngineFailed, format, args...)
}
