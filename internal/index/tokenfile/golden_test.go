package tokenfile

import (
	"bytes"
	"testing"

	"parley/internal/testkit/verify"
	"parley/internal/words/phrase"
)

// An index of another format version is rebuilt, so a change of the format needs a new version.
func TestFilesOfThisVersionHaveTheBytesOfTheGoldenFile(t *testing.T) {
	present := Encode(Of(call(), "A title", "and more"), phrase.Glossary{}.Number)
	if golden := verify.Golden(t, "tokens", version, present); !bytes.Equal(present, golden) {
		t.Errorf("the format has changed; give it the version %d", version+1)
	}
}
