package bench

import (
	"testing"

	"parley/internal/child/childtest"
)

func TestMain(m *testing.M) { childtest.Main(m) }
