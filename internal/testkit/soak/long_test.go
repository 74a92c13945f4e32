package soak

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/internal/lab/bench"
	"parley/internal/terminal/client"
	"parley/internal/testkit/verify"
	"parley/sample"
)

const mostGrowth = 64 << 20 // bytes that a long recording may need in addition to a short one

// long returns the length of long recordings: three hours, or the value of PARLEY_SOAK_LENGTH, for example 12m.
func long(t *testing.T) time.Duration {
	t.Helper()
	set := os.Getenv("PARLEY_SOAK_LENGTH")
	if set == "" {
		return 3 * time.Hour
	}
	length, err := time.ParseDuration(set)
	if err != nil || length < 2*time.Minute {
		t.Fatalf("PARLEY_SOAK_LENGTH is %q, not a length of 2m or more", set)
	}
	return length
}

// short returns the length of the recording used for comparison.
func (l trial) short() time.Duration { return min(10*time.Minute, l.long/4) }

// TestThreeHoursTakeFlatMemoryAndAKillCostsOneChunkAChild processes three hours of the sample call with a fast
// recogniser and kills the server in the middle. With PARLEY_SOAK, it compares the transcript with that of a run
// without a kill.
func TestThreeHoursTakeFlatMemoryAndAKillCostsOneChunkAChild(t *testing.T) {
	verify.Long(t)
	source := filepath.Join(t.TempDir(), sample.Name)
	if err := os.WriteFile(source, sample.Call(), 0o600); err != nil {
		t.Fatal(err)
	}
	lasts(t, trial{sources: []string{source}, channels: 1, long: long(t), once: !soaking(), flags: engineFlags()})
}

// TestThreeRealHoursOnTwoChannelsLastToo does the same with real calls in stereo.
func TestThreeRealHoursOnTwoChannelsLastToo(t *testing.T) {
	verify.Long(t)
	dir := data(t, "audio")
	if !soaking() {
		t.Skip("PARLEY_SOAK is not set: takes a minute")
	}
	lasts(t, trial{
		sources: []string{filepath.Join(dir, "call_cable_sales_stereo.mp3"),
			filepath.Join(dir, "call_auto_repairs_40.flac")},
		channels: 2, long: long(t), flags: engineFlags(), configuration: stereo,
	})
}

// TestRealHoursAreRecognisedByTheRealEngine does the same with PocketSphinx, which takes a quarter of an hour of two
// cores per hour. PARLEY_SOAK_LENGTH=12m makes it short.
func TestRealHoursAreRecognisedByTheRealEngine(t *testing.T) {
	verify.Long(t)
	dir := data(t, "audio")
	if !soaking() {
		t.Skip("PARLEY_SOAK is not set: takes an hour, a few minutes with PARLEY_SOAK_LENGTH=12m")
	}
	lasts(t, trial{
		sources: []string{filepath.Join(dir, "telco_account_update.wav"),
			filepath.Join(dir, "call_pca_auto0_mono_u8.wav"), filepath.Join(dir, "call_auto_repairs_40.flac")},
		channels: 1, long: long(t), once: true, flags: []string{"--engines", strconv.Itoa(engineProcesses)},
	})
}

const stereo = `{"ingest":{"stereo":{"left":{"speakerName":"Agent"},"right":{"speakerName":"Caller"}}}}`

// trial is a long recording and how it is recognised.
type trial struct {
	sources       []string // recordings that are concatenated
	channels      int
	long          time.Duration
	once          bool // only the run with the kill, because the other takes long
	configuration string
	flags         []string
}

// lasts checks the guarantees for long recordings.
func lasts(t *testing.T, l trial) {
	dir := filepath.Join(t.TempDir(), "data")
	token := firstToken(t, "--data", dir)
	flags := append(slices.Clone(l.flags), "--data", dir)
	e := newEvents()
	n := start(t, e, flags...)
	usual := l.submit(t, n.client(token), l.short())
	await(t, n.client(token), usual, e)
	flat := n.peak(t)
	recording := l.make(t, l.long)
	reference := ""
	if !l.once {
		whole := l.upload(t, n.client(token), recording)
		reference = await(t, n.client(token), whole, e)
		l.grown(t, "in one go", flat, n.peak(t))
	}
	killed := l.upload(t, n.client(token), recording)
	w := &watch{e: e, id: killed}
	w.until(t, n.client(token), middle)
	n.kill()
	done := e.count(killed)
	t.Logf("killed after %d chunks, at %d percent", done, w.percent)
	n = start(t, e, flags...)
	w.until(t, n.client(token), 100)
	text := await(t, n.client(token), killed, e)
	if reference != "" && text != reference {
		t.Errorf("the kill has changed the transcript")
	}
	l.grown(t, "after the kill", flat, n.peak(t))
	if all := e.count(killed); done == 0 || done >= all {
		t.Errorf("killed after %d of %d chunks: not in the middle", done, all)
	}
	if twice := e.keptTwice(); len(twice) > 0 {
		t.Errorf("recorded more than once: %d chunks", len(twice))
	}
	if redone := e.redone(); redone > engineProcesses {
		t.Errorf("the kill cost %d chunks, more than one a child", redone)
	}
	w.check(t, e.count(killed))
	checkTimes(t, n.client(token), recording, killed)
	t.Logf("%d chunks, %d begun again", e.count(killed), e.redone())
	if err := n.stop(); err != nil {
		t.Error(err)
	}
}

// submit sends a recording of a length.
func (l trial) submit(t *testing.T, c *client.Client, length time.Duration) string {
	t.Helper()
	return l.upload(t, c, l.make(t, length))
}

func (l trial) upload(t *testing.T, c *client.Client, path string) string {
	t.Helper()
	item, err := submitFile(t.Context(), c, path, l.configuration)
	if err != nil {
		t.Fatal(err)
	}
	return item.MediaID
}

// make builds a recording of a length from the sources: telephone sound in a WAV file. Its volume varies slowly, so
// that no two parts are equal.
func (l trial) make(t *testing.T, length time.Duration) string {
	t.Helper()
	dir := t.TempDir()
	var list strings.Builder
	for i, source := range l.sources {
		part := filepath.Join(dir, fmt.Sprintf("part%d.wav", i))
		ffmpeg(t, "-i", source, "-ac", fmt.Sprint(l.channels), "-ar", "8000", "-c:a", "pcm_s16le", part)
		fmt.Fprintf(&list, "file '%s'\n", part)
	}
	const shortest = time.Minute // of the sources
	parts := filepath.Join(dir, "list.txt")
	if err := os.WriteFile(parts, []byte(strings.Repeat(list.String(), int(length/shortest)+1)), 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "recording.wav")
	ffmpeg(t, "-f", "concat", "-safe", "0", "-i", parts, "-t", fmt.Sprint(length.Seconds()),
		"-af", "volume='0.8+0.2*sin(t/1000)':eval=frame", "-c:a", "pcm_mulaw", path)
	return path
}

func ffmpeg(t *testing.T, args ...string) {
	t.Helper()
	command := exec.Command("ffmpeg", append([]string{"-nostdin", "-v", "error"}, args...)...)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("ffmpeg (needs the package ffmpeg): %v\n%s", err, out)
	}
}

// grown compares the server's peak memory with that for a short recording.
func (l trial) grown(t *testing.T, what string, flat, peak int64) {
	t.Helper()
	t.Logf("%s: %v took %d MB at most, %v %d MB", what, l.short(), flat>>20, l.long, peak>>20)
	if peak-flat > mostGrowth {
		t.Errorf("%s: memory grows with the recording", what)
	}
}

// peak returns the peak memory of the server process so far, in bytes.
func (n *node) peak(t *testing.T) int64 {
	t.Helper()
	m, err := bench.MemoryOf(n.command.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	return m.Peak
}

// middle is the percentage of recognition at which the server is killed.
const middle = 30

// watch monitors the progress of an item, across restarts of the server.
type watch struct {
	e       *events
	id      string
	percent int    // of recognition, the last seen
	seen    []seen // each change
}

// seen is a percentage of recognition, and the number of completed chunks just after it was read.
type seen struct{ percent, chunks int }

// until waits until recognition reaches a percentage. No step may go backwards, or be complete before its work is.
func (w *watch) until(t *testing.T, c *client.Client, percent int) {
	t.Helper()
	ctx, enough := context.WithCancel(t.Context())
	defer enough()
	_, err := c.Wait(ctx, w.id, 50*time.Millisecond, func(p client.Progress) {
		for _, task := range p.Tasks {
			if task.Percent == 100 && (task.Status == "started" || task.Status == "pending") {
				t.Errorf("%s is at 100 percent and %s", task.TaskID, task.Status)
			}
			if task.TaskID == "recognize" {
				w.note(t, task.Percent)
			}
		}
		if w.percent >= percent {
			enough()
		}
	})
	if err != nil && ctx.Err() == nil {
		t.Fatalf("%v\n%s", err, w.e.tail())
	}
}

func (w *watch) note(t *testing.T, percent int) {
	t.Helper()
	if percent < w.percent {
		t.Errorf("recognition was at %d percent and is at %d", w.percent, percent)
	}
	if percent > w.percent {
		w.percent = percent
		w.seen = append(w.seen, seen{percent, w.e.count(w.id)})
	}
}

// ahead is the maximum number of percentage points by which the progress may exceed the share of chunks: some are
// longer than others.
const ahead = 10

// check compares the percentages with the work that was complete at that time.
func (w *watch) check(t *testing.T, chunks int) {
	t.Helper()
	for _, s := range w.seen {
		if done := 100 * s.chunks / chunks; s.percent > done+ahead {
			t.Errorf("recognition was at %d percent when %d of %d chunks were done", s.percent, s.chunks, chunks)
		}
	}
	if len(w.seen) < 3 {
		t.Errorf("the progress was seen at %v only", w.seen)
	}
	t.Logf("progress: %v", w.seen)
}
