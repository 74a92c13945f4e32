package onnx

import (
	"testing"

	"parley/internal/testkit/sandboxtest"
)

func TestMain(m *testing.M) { sandboxtest.Main(m) }
