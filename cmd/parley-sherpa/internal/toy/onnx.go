package toy

import (
	"encoding/binary"
	"math"
)

// message is a protobuf message under construction, in the format of onnx.proto. The field numbers are those of
// https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.
type message []byte

func (m *message) key(field, wire int) { *m = binary.AppendUvarint(*m, uint64(field<<3|wire)) }

func (m *message) int(field int, v int64) {
	m.key(field, 0)
	*m = binary.AppendUvarint(*m, uint64(v))
}

func (m *message) float(field int, v float32) {
	m.key(field, 5)
	*m = binary.LittleEndian.AppendUint32(*m, math.Float32bits(v))
}

func (m *message) bytes(field int, v []byte) {
	m.key(field, 2)
	*m = append(binary.AppendUvarint(*m, uint64(len(v))), v...)
}

func (m *message) text(field int, v string) { m.bytes(field, []byte(v)) }

// Element types of tensors.
const (
	float32s = 1
	int32s   = 6
	int64s   = 7
)

// graph collects the nodes, weights, inputs and outputs of a network.
type graph struct{ m message }

// node adds an operation with one output.
func (g *graph) node(op, output string, inputs []string, attributes ...message) {
	var n message
	for _, in := range inputs {
		n.text(1, in)
	}
	n.text(2, output)
	n.text(4, op)
	for _, a := range attributes {
		n.bytes(5, a)
	}
	g.m.bytes(1, n)
}

func integer(name string, v int64) message {
	var a message
	a.text(1, name)
	a.int(3, v)
	a.int(20, 2)
	return a
}

func integers(name string, values ...int64) message {
	var a message
	a.text(1, name)
	for _, v := range values {
		a.int(8, v)
	}
	a.int(20, 7)
	return a
}

// weights adds a float constant of a shape.
func (g *graph) weights(name string, values []float32, shape ...int64) {
	var raw []byte
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	g.constant(name, float32s, raw, shape)
}

// constants adds an integer constant of a shape; no shape means a scalar.
func (g *graph) constants(name string, values []int64, shape ...int64) {
	var raw []byte
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
	}
	g.constant(name, int64s, raw, shape)
}

func (g *graph) constant(name string, kind int64, raw []byte, shape []int64) {
	var t message
	for _, d := range shape {
		t.int(1, d)
	}
	t.int(2, kind)
	t.text(8, name)
	t.bytes(9, raw)
	g.m.bytes(5, t)
}

// input and output declare a tensor; dimensions are numbers or names.
func (g *graph) input(name string, kind int64, shape ...any)  { g.value(11, name, kind, shape) }
func (g *graph) output(name string, kind int64, shape ...any) { g.value(12, name, kind, shape) }

func (g *graph) value(field int, name string, kind int64, shape []any) {
	var dims, tensor, of, info message
	for _, d := range shape {
		var dim message
		if n, ok := d.(int); ok {
			dim.int(1, int64(n))
		} else {
			dim.text(2, d.(string))
		}
		dims.bytes(1, dim)
	}
	tensor.int(1, kind)
	tensor.bytes(2, dims)
	of.bytes(1, tensor)
	info.text(1, name)
	info.bytes(2, of)
	g.m.bytes(field, info)
}

// model returns the network as the bytes of a file, with metadata.
func (g *graph) model(metadata map[string]string) []byte {
	g.m.text(2, "toy")
	var opset, m message
	opset.text(1, "")
	opset.int(2, 13)
	m.int(1, 7)
	m.text(2, "parley toy")
	m.bytes(7, g.m)
	m.bytes(8, opset)
	for key, value := range metadata {
		var entry message
		entry.text(1, key)
		entry.text(2, value)
		m.bytes(14, entry)
	}
	return m
}
