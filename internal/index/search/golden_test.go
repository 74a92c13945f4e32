package search

import (
	"bytes"
	"encoding/json"
	"testing"

	"parley/internal/testkit/verify"
)

// A generation of another format is rebuilt, so a change of the format needs a new version.
func TestGenerationsOfThisFormatAreThoseOfTheGoldenFile(t *testing.T) {
	state, err := json.MarshalIndent(State{format, "current", "next", "cursor", 1, 2, "asked"}, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	present := append([]byte(sqliteSchema+postgresSchema), append(state, '\n')...)
	if golden := verify.Golden(t, "generation", format, present); !bytes.Equal(present, golden) {
		t.Errorf("the format has changed; give it the number %d", format+1)
	}
}
