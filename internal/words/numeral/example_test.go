package numeral_test

import (
	"fmt"

	"parley/internal/words/numeral"
)

func ExampleSay() {
	fmt.Println(numeral.Say(1250, true), numeral.SayOrdinal(21, false))
	fmt.Println(numeral.Telephone("6508975170"))
	// Output:
	// [one thousand two hundred and fifty] [twenty first]
	// 650-897-5170
}
