package sound_test

import (
	"fmt"
	"time"

	"parley/internal/words/sound"
)

func ExamplePCM_Slice() {
	second := &sound.PCM{Rate: 8000, Samples: make([]int16, 8000)}
	part := second.Slice(sound.Segment{Start: 250 * time.Millisecond, End: time.Second})
	fmt.Println(part.Duration(), len(part.Samples))
	// Output: 750ms 6000
}
