// The program launcher sandboxes the children of tests. A test binary could do so itself, but takes a hundred times as
// long to start under the race detector.
package main

import "parley/internal/host/sandbox"

func main() { sandbox.Main() }
