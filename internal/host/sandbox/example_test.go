package sandbox_test

import (
	"context"
	"fmt"
	"strings"

	"parley/internal/host/sandbox"
)

// The program is trusted here, because only a program whose main function calls sandbox.Main can confine its children.
func ExampleRun() {
	cmd := sandbox.Command(context.Background(), "echo", "hello")
	var out strings.Builder
	cmd.Stdout = &out
	err := sandbox.Run(cmd, sandbox.Limits{Memory: 256 << 20, Access: sandbox.Access{Trusted: true}})
	fmt.Print(out.String(), err)
	// Output:
	// hello
	// <nil>
}
