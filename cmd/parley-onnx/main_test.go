package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/analysis/onnx"
	"parley/internal/testkit/sandboxtest"
)

// field encodes one field of type bytes of a protobuf message; number encodes one of an integer type.
func field(key int, parts ...[]byte) []byte {
	value := bytes.Join(parts, nil)
	return append(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(key<<3|2)), uint64(len(value))), value...)
}

func number(key int, value uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, uint64(key<<3)), value)
}

func named(key int, name string) []byte { return field(key, []byte(name)) }

// tensor describes an input or output with the given element type and dimensions: names, or numbers for fixed sizes.
func tensor(key int, name string, element uint64, dims ...any) []byte {
	var shape []byte
	for _, d := range dims {
		dim := []byte(nil)
		switch d := d.(type) {
		case int:
			dim = number(1, uint64(d))
		case string:
			dim = named(2, d)
		}
		shape = append(shape, field(1, dim)...)
	}
	return field(key, named(1, name), field(2, field(1, number(1, element), field(2, shape))))
}

// network returns an ONNX file (field numbers from onnx.proto). The logits of its two labels are the sum of the table
// rows selected by the tokens of a text.
func network(table [][2]float32) []byte {
	const float, integer = 1, 7
	var raw []byte
	for _, row := range table {
		for _, v := range row {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
		}
	}
	graph := field(7,
		field(1, named(1, "table"), named(1, "input_ids"), named(2, "rows"), named(4, "Gather"),
			field(5, named(1, "axis"), number(3, 0), number(20, 2))),
		field(1, named(1, "rows"), named(2, "mean"), named(4, "ReduceMean"),
			field(5, named(1, "axes"), number(8, 1), number(20, 7)),
			field(5, named(1, "keepdims"), number(3, 0), number(20, 2))),
		field(1, named(1, "mean"), named(1, "scale"), named(2, "logits"), named(4, "Mul")),
		named(2, "toy"),
		field(5, number(1, uint64(len(table))), number(1, 2), number(2, float), named(8, "table"), field(9, raw)),
		field(5, number(1, 1), number(2, float), named(8, "scale"),
			field(9, binary.LittleEndian.AppendUint32(nil, math.Float32bits(8)))),
		tensor(11, "input_ids", integer, "batch", "sequence"),
		tensor(12, "logits", float, "batch", 2),
	)
	return bytes.Join([][]byte{number(1, 7), named(2, "parley toy"), graph, field(8, named(1, ""), number(2, 13))}, nil)
}

const tokenizer = `{"version":"1.0","truncation":null,"padding":null,"added_tokens":[],"normalizer":{"type":"Lowercase"},
	"pre_tokenizer":{"type":"Whitespace"},"post_processor":null,"decoder":null,
	"model":{"type":"WordLevel","vocab":{"[UNK]":0,"good":1,"bad":2},"unk_token":"[UNK]"}}`

// folder writes a network that recognises "good" and "bad".
func folder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "mood")
	if err := os.MkdirAll(filepath.Join(dir, "onnx"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"config.json":     []byte(`{"id2label":{"0":"bad mood","1":"good mood"},"max_position_embeddings":512}`),
		"tokenizer.json":  []byte(tokenizer),
		"onnx/model.onnx": network([][2]float32{{0, 0}, {-1, 1}, {1, -1}}),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestANetworkAnswersEachTextWithItsProbabilities(t *testing.T) {
	t.Chdir(t.TempDir()) // the program changes the working directory
	var out bytes.Buffer
	in := `{"text":"a good day"}` + "\n" + `{"text":"bad bad weather and more"}` + "\n" + `{"text":"neither"}` + "\n"
	if err := run([]string{"classify", "--model", folder(t)}, strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 {
		t.Fatalf("%q", lines)
	}
	for i, side := range []float64{1, -1, 0} {
		var a onnx.Answer
		if err := json.Unmarshal([]byte(lines[i]), &a); err != nil || len(a.Scores) != 2 ||
			math.Abs(a.Scores[0]+a.Scores[1]-1) > 1e-4 {
			t.Fatalf("%s (%v)", lines[i], err)
		}
		if got := a.Scores[1] - a.Scores[0]; got*side < 0 || math.Abs(got) < .5*math.Abs(side) || side == 0 &&
			math.Abs(got) > 1e-4 {
			t.Errorf("text %d: %v", i, a.Scores)
		}
	}
}

func TestAFolderThatIsNoNetworkIsRefused(t *testing.T) {
	dir := folder(t)
	if err := os.Remove(filepath.Join(dir, "tokenizer.json")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"classify", "--model", dir}, {"classify", "--model", t.TempDir()}, {"serve"},
		nil} {
		if err := run(args, strings.NewReader(""), &bytes.Buffer{}); err == nil {
			t.Errorf("%q was run", args)
		}
	}
}

// TestMain lets the test binary act as the program when it is started as such.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == "version" || os.Args[1] == "classify") {
		main()
		return
	}
	sandboxtest.Main(m)
}

func TestTheServerRunsTheProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	runner := &onnx.Runner{Program: self, Nice: 1}
	if err := runner.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	found, problems := onnx.Find(filepath.Dir(folder(t)))
	if len(found) != 1 || problems != nil {
		t.Fatal(found, problems)
	}
	scores, err := runner.Judge(t.Context(), found[0], strings.Fields("what a good, good day"))
	if err != nil || len(scores) != 2 || scores[1] < .9 {
		t.Errorf("%v (%v)", scores, err)
	}
	if err := os.WriteFile(filepath.Join(found[0].Dir, found[0].File), []byte("no network"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := runner.Judge(t.Context(), found[0], nil); err == nil {
		t.Error("a file that is no network was run")
	}
}

func TestTheProgramSaysWhichProtocolItSpeaks(t *testing.T) {
	var out bytes.Buffer
	if err := run([]string{"version"}, nil, &out); err != nil || strings.TrimSpace(out.String()) != onnx.Greeting {
		t.Errorf("%q (%v)", out.String(), err)
	}
}
