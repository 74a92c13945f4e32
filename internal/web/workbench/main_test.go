package workbench_test

import (
	"testing"

	"parley/internal/testkit/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }
