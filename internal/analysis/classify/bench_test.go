package classify

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
)

// BenchmarkAnHoursCallOfManyClasses uses a model with the maximum number of weights.
func BenchmarkAnHoursCallOfManyClasses(b *testing.B) {
	m, _ := train(b, banking(b))
	var lines []string
	for words, examples := 0, banking(b); words < 9000; {
		for _, e := range examples {
			lines = append(lines, strings.Join(e.Words, " "))
			words += len(e.Words)
		}
	}
	call := said(lines...)
	b.ReportAllocs()
	for b.Loop() {
		m.Judge(call)
	}
}

// BenchmarkTrainingOfAsManyWordsAsAreTaken also reports the memory in use at the end of the steps.
func BenchmarkTrainingOfAsManyWordsAsAreTaken(b *testing.B) {
	random := rand.New(rand.NewPCG(3, 4))
	var examples []Example
	for i := range MaxWords / 500 {
		e := Example{Label: fmt.Sprint(i % 4)}
		for range 500 {
			e.Words = append(e.Words, fmt.Sprintf("word%d", int(1/(random.Float64()+1e-4))+100*(i%4)*random.IntN(2)))
		}
		examples = append(examples, e)
	}
	most := uint64(0)
	for b.Loop() {
		train := func() {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapSys-m.HeapReleased)
		}
		if _, _, err := Train(b.Context(), examples, train); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(most)/(1<<20), "MiB")
}
