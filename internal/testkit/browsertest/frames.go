package browsertest

import (
	"fmt"
	"time"
)

// Frames are the pauses between the frames that a page shows.
type Frames struct {
	Median, P95, Longest time.Duration
	Count                int
}

// Frames measures frames while a page does something: an expression of JavaScript, which is called before each frame
// with the number of the frame, from 0 up to n.
func (b *Tab) Frames(n int, each string) Frames {
	b.t.Helper()
	found := b.Run(fmt.Sprintf(`new Promise((done) => {
		const each = %s, gaps = [];
		let before = 0;
		const look = (now) => {
			if (before > 0) gaps.push(now - before);
			before = now;
			if (gaps.length < %d) { each(gaps.length); requestAnimationFrame(look); return; }
			gaps.sort((a, b) => a - b);
			done([gaps[gaps.length >> 1], gaps[Math.floor(gaps.length * 0.95)], gaps.at(-1)]);
		};
		requestAnimationFrame(look);
	})`, each, n)).([]any)
	ms := func(i int) time.Duration { return time.Duration(found[i].(float64) * float64(time.Millisecond)) }
	return Frames{ms(0), ms(1), ms(2), n}
}

// Heap returns the bytes of the page's objects, after a collection.
func (b *Tab) Heap() int64 {
	b.t.Helper()
	b.Send("HeapProfiler.collectGarbage", nil)
	return int64(b.Send("Runtime.getHeapUsage", nil)["usedSize"].(float64))
}

// String shows the figures in milliseconds.
func (f Frames) String() string {
	return fmt.Sprintf("%d frames: median %.1f ms, 95 %% %.1f ms, longest %.1f ms", f.Count,
		f.Median.Seconds()*1e3, f.P95.Seconds()*1e3, f.Longest.Seconds()*1e3)
}
