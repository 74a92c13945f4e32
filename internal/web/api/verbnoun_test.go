package api_test

import (
	"reflect"
	"testing"

	"parley/internal/testkit/servertest"
)

func TestWhatIsDoneIsFoundBySpeaker(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	asked := servertest.Field("configuration", `{"conversation":{"verbNounPairsEnabled":true}}`)
	id := s.Submit(t, recording, servertest.Field("transcript",
		`{"words":[{"m":"turn","w":"Agent","s":0,"e":500},{"w":"do","s":0,"e":100},{"w":"they","s":100,"e":200},
		{"w":"like","s":200,"e":300},{"w":"our","s":300,"e":400},{"w":"service","s":400,"e":500},
		{"m":"turn","w":"Caller","s":600,"e":1000},{"w":"they","s":600,"e":700},{"w":"provide","s":700,"e":800},{"w":"no","s":800,"e":900},{"w":"justification","s":900,"e":1000}]}`), asked)
	want := map[string]any{"speakerVerbNounPairs": []any{
		map[string]any{"speakerName": "Agent",
			"verbNounPairs": []any{map[string]any{"s": 200., "e": 500., "verb": "like", "noun": "service",
				"question": true}}},
		map[string]any{"speakerName": "Caller",
			"verbNounPairs": []any{map[string]any{"s": 700., "e": 1000., "verb": "provide", "noun": "justification",
				"nounNeg": "no"}}},
	}}
	if got := s.Await(t, id)["conversation"]; !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
	refused(t, s.Post(t, recording, servertest.Field("transcript", `{"words":[{"w":"hola","s":0,"e":100}]}`),
		servertest.Field("configuration",
			`{"speechModel":{"language":"es-US"},"conversation":{"verbNounPairsEnabled":true}}`)), 400, 10603)
}
