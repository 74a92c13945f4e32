package cmllr_test

import (
	"fmt"
	"math"

	"parley/internal/speech/cmllr"
)

// All cepstra of the speaker are 1 above the means of the model, whose variances are 1.
func ExampleStatistics_Solve() {
	var s cmllr.Statistics
	for frame := range 1000 {
		for stream := range cmllr.Streams {
			var x, precision, mean cmllr.Vector
			for i := range x {
				x[i] = math.Sin(float64(frame*(i+1)*(stream+2))) * 2
				precision[i], mean[i] = 1, x[i]
				if stream == 0 {
					mean[i]--
				}
			}
			s.Add(stream, &x, &precision, &mean)
		}
	}
	t, ok := s.Solve(0)
	fmt.Printf("%.1f %v\n", t[0][cmllr.Size], ok)
	// Output: -1.0 true
}
