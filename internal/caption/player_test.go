package caption

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/internal/child"
)

// TestFFmpegReadsEveryCue converts our SRT and WebVTT to the other format with ffmpeg and counts what arrives.
func TestFFmpegReadsEveryCue(t *testing.T) {
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Fatal("ffmpeg is missing; install Debian's package ffmpeg")
	}
	other := map[Format]string{SRT: "webvtt", WebVTT: "srt"}
	for f, to := range other {
		path := filepath.Join(t.TempDir(), "captions"+f.Extension())
		if err := os.WriteFile(path, Render(call(), f), 0o600); err != nil {
			t.Fatal(err)
		}
		var out, problems bytes.Buffer
		cmd := child.Command(t.Context(), "ffmpeg", "-nostdin", "-v", "warning", "-i", path, "-f", to, "-")
		cmd.Stdout, cmd.Stderr = &out, &problems
		if err := child.Run(cmd, child.Limits{CPU: time.Minute}); err != nil || problems.Len() > 0 {
			t.Fatalf("ffmpeg on %s: %v\n%s", f, err, problems.String())
		}
		if got, want := strings.Count(out.String(), "-->"), len(Cues(call())); got != want {
			t.Errorf("ffmpeg read %d cues of %s, want %d:\n%s", got, f, want, out.String())
		}
	}
}
