package pocketsphinx

import (
	"fmt"

	"parley/internal/words/fault"
)

const logBase = 1.0001 // base of the library's logarithms

// Pack converts a language model file from ARPA format to the library's binary format, which is smaller and loads a
// hundred times faster. It is used when training models.
func Pack(arpaFile, packedFile string) error {
	lib, err := load()
	if err != nil {
		return err
	}
	lib.setLog(0)
	logMath := lib.newLogMath(logBase, 0, 0)
	defer lib.freeLogMath(logMath)
	model := lib.readModel(0, arpaFile, arpa, logMath)
	if model == 0 {
		return fault.New(fault.Invalid, fault.CodeEngineFailed, "PocketSphinx cannot read %s as a language model",
			arpaFile)
	}
	defer lib.freeModel(model)
	if lib.writeModel(model, packedFile, packed) < 0 {
		return fmt.Errorf("PocketSphinx cannot write the language model %s", packedFile)
	}
	return nil
}
