package textfile_test

import (
	"fmt"

	"parley/internal/terminal/textfile"
)

// Windows programs save text as UTF-16, which begins with a byte order mark.
func ExampleDecode() {
	text, err := textfile.Decode("terms.txt", []byte("\xff\xfeH\x00e\x00l\x00l\x00o\x00"))
	fmt.Printf("%s %v\n", text, err)
	// Output: Hello <nil>
}
