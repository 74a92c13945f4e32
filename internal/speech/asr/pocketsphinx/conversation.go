package pocketsphinx

import (
	"bytes"
	"compress/gzip"
	_ "embed" // for the conversation model
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// conversation is a language model of dialogues and phone calls in the library's binary format, built by the command
// train; its README lists the sources.
//
//go:embed conversation.lm.bin.gz
var conversation []byte

// conversationSum is a short checksum of the model, for the version of the engine.
func conversationSum() string { return fmt.Sprintf("%08x", crc32.ChecksumIEEE(conversation)) }

// readModels reads the general language model and the conversation model, and makes the decoder search with both.
func (d *decoder) readModels(path string) error {
	general := d.lib.readModel(d.config, path, packed, d.lib.logMath(d.ps))
	if general == 0 {
		return unavailable("PocketSphinx cannot load its language model %s; %s", path, remedy)
	}
	defer d.lib.freeModel(general) // the blend holds a reference
	talk, err := d.readConversation()
	if err != nil {
		return failed("PocketSphinx cannot load the language model of conversations: %w", err)
	}
	defer d.lib.freeModel(talk)
	b, err := d.blend(general, talk)
	if err != nil {
		return err
	}
	return d.use(search, b)
}

// readConversation decompresses the model into a pipe from which the library reads it.
func (d *decoder) readConversation() (uintptr, error) {
	z, err := gzip.NewReader(bytes.NewReader(conversation))
	if err != nil {
		return 0, err
	}
	r, path, err := piped(func(w io.Writer) { io.Copy(w, z) })
	if err != nil {
		return 0, err
	}
	defer r.Close()
	model := d.lib.readModel(d.config, path, packed, d.lib.logMath(d.ps))
	if model == 0 {
		return 0, errors.New("the embedded file is not a language model")
	}
	return model, nil
}
