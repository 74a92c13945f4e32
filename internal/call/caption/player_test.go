package caption

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"parley/internal/host/sandbox"
	"parley/internal/testkit/browsertest"
)

// run runs a program, which must exist and succeed, and returns its output.
func run(t *testing.T, debian, name string, args ...string) (out, problems string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Fatalf("%s is missing; install Debian's package %s", name, debian)
	}
	var stdout, stderr bytes.Buffer
	cmd := sandbox.Command(t.Context(), name, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := sandbox.Run(cmd, sandbox.Limits{CPU: time.Minute, Access: sandbox.Access{Trusted: true}}); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, stderr.String())
	}
	return stdout.String(), stderr.String()
}

func file(t *testing.T, f Format, body []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "captions"+f.Extension())
	if err := os.WriteFile(path, body, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestFFmpegReadsEveryCue converts SRT to WebVTT and vice versa, and counts the cues in the output.
func TestFFmpegReadsEveryCue(t *testing.T) {
	for f, to := range map[Format]string{SRT: "webvtt", WebVTT: "srt"} {
		out, problems := run(t, "ffmpeg", "ffmpeg", "-nostdin", "-v", "warning", "-i", file(t, f, Render(call(), f)),
			"-f", to, "-")
		if problems != "" {
			t.Errorf("ffmpeg on %s: %s", f, problems)
		}
		if got, want := strings.Count(out, "-->"), len(Cues(call())); got != want {
			t.Errorf("ffmpeg read %d cues of %s, want %d:\n%s", got, f, want, out)
		}
	}
}

func TestDFXPValidatesAgainstTheSchema(t *testing.T) {
	schema := filepath.Join("testdata", "ttml", "ttml.xsd")
	for _, golden := range []string{"call", "mono", "silence"} {
		run(t, "libxml2-utils", "xmllint", "--nonet", "--noout", "--schema", schema,
			filepath.Join("testdata", golden+DFXP.Extension()))
	}
}

const trackPage = `<video><track default kind="captions" src="data:text/vtt;base64,%s"></video><pre>no track</pre><script>
const element = document.querySelector('track'), seen = document.querySelector('pre')
element.track.mode = 'hidden'
element.onload = () => { seen.textContent = [...element.track.cues].map(c => [c.startTime, c.endTime, c.getCueAsHTML().textContent].join('|')).join('\n\n') }
</script>`

// TestBrowsersShowEveryCue loads WebVTT as the text track of a video in a real browser.
func TestBrowsersShowEveryCue(t *testing.T) {
	browser := browsertest.Program(t)
	flags, _ := browsertest.Flags(t)
	page := filepath.Join(t.TempDir(), "page.html")
	track := base64.StdEncoding.EncodeToString(Render(call(), WebVTT))
	if err := os.WriteFile(page, fmt.Appendf(nil, trackPage, track), 0o600); err != nil {
		t.Fatal(err)
	}
	dom, _ := run(t, "chromium", browser, append(flags, "--virtual-time-budget=5000", "--dump-dom", "file://"+page)...)
	var want []string
	for _, c := range Cues(call()) {
		want = append(want, fmt.Sprintf("%g|%g|%s", c.Start.Seconds(), c.End.Seconds(), strings.Join(c.Lines, "\n")))
	}
	seen := regexp.MustCompile(`(?s)<pre>(.*)</pre>`).FindStringSubmatch(dom)
	if len(seen) == 0 || html.UnescapeString(seen[1]) != strings.Join(want, "\n\n") {
		t.Errorf("the browser has\n%s\nwant\n%s", dom, strings.Join(want, "\n\n"))
	}
}
