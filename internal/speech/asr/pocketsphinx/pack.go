package pocketsphinx

import (
	"fmt"

	"parley/internal/words/fault"
)

const logBase = 1.0001 // of the logarithms that the library counts in

// Pack turns a language model in the ARPA format into the library's binary one, which takes less room and is read
// a hundred times as fast. Both are files. It is for those who train models.
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
