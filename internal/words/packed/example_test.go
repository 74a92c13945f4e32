package packed_test

import (
	"encoding/binary"
	"fmt"

	"parley/internal/words/packed"
)

func ExampleReader() {
	data := binary.AppendVarint(nil, -3)
	data = append(binary.AppendUvarint(data, 5), "hello"...)
	r := packed.Reader{Rest: data}
	fmt.Println(r.Varint(), r.Text(), r.Broken)
	fmt.Println(r.Uvarint(), r.Broken)
	// Output:
	// -3 hello false
	// 0 true
}
