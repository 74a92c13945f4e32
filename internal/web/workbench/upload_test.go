package workbench_test

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"parley/internal/testkit/browsertest"
	"parley/internal/testkit/servertest"
)

// cutting is a proxy before a server that cuts the connection of the first upload in its middle.
func cutting(t *testing.T, base string) (address string, cuts *atomic.Int32) {
	t.Helper()
	target, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	cuts = new(atomic.Int32)
	proxy := httputil.NewSingleHostReverseProxy(target)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.URL.Path == "/v3/media" && cuts.Add(1) == 1 {
			io.CopyN(io.Discard, r.Body, 1000)
			if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
				conn.(*net.TCPConn).SetLinger(0)
				conn.Close()
			}
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	return front.URL, cuts
}

func TestFilesThatAreDroppedWithACSVOfMetadataArriveOnceEvenWhenAnUploadIsCut(t *testing.T) {
	t.Parallel()
	b := browsertest.Open(t)
	s := servertest.Start(t, servertest.Options{})
	base, cuts := cutting(t, s.Base)
	dir := t.TempDir()
	paths := []string{filepath.Join(dir, "calls.csv")}
	write(t, paths[0], "file;externalId;callDetails.agent.fullName;extended.team\n"+
		"one.wav;4711;Ann Lee;north\ntwo.wav;4712;\"Ray; Ben\";\nthree.wav;4713;<b>Cy</b>;south\n")
	for _, name := range []string{"one.wav", "two.wav", "three.wav"} {
		paths = append(paths, filepath.Join(dir, name))
		write(t, paths[len(paths)-1], string(servertest.Tone(60, 2)))
	}
	signIn(b, base, s.Token, "calls")
	b.Click("=Upload")
	b.AwaitText("main", "No recordings yet")
	b.Drop("main", paths...)
	b.AwaitText("main", "one.wav", "three.wav", "4713, <b>Cy</b>, south", "metadata for 3 of 3 recordings")
	b.Shoot("upload")
	for _, problem := range b.Axe() {
		t.Error(problem)
	}
	b.Click("=Send 3 recordings")
	b.Click("=Calls") // uploads go on while one walks
	b.Until("all uploads are processed", `document.querySelector(".tray").textContent.match(/Finished/g)?.length === 3`)
	b.Shoot("upload-tray")
	if n := cuts.Load(); n != 4 {
		t.Errorf("%d requests were sent for 3 uploads of which one was cut", n)
	}
	found := map[string]bool{}
	var list struct {
		Media []struct {
			Metadata struct {
				Title, ExternalID string
				CallDetails       struct{ Agent struct{ FullName string } }
			}
		}
	}
	if err := json.Unmarshal(s.Get(t, "/v3/media?limit=100").Body, &list); err != nil {
		t.Fatal(err)
	}
	for _, m := range list.Media {
		found[m.Metadata.Title+" "+m.Metadata.ExternalID+" "+m.Metadata.CallDetails.Agent.FullName] = true
	}
	if len(list.Media) != 3 || !found["one.wav 4711 Ann Lee"] || !found["two.wav 4712 Ray; Ben"] ||
		!found["three.wav 4713 <b>Cy</b>"] {
		t.Errorf("%d recordings: %v", len(list.Media), found)
	}
	for _, problem := range b.Problems() {
		if !strings.Contains(problem, "ERR_CONNECTION_RESET") && !strings.Contains(problem, "ERR_EMPTY_RESPONSE") {
			t.Errorf("the page complains: %s", problem)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestMistakesInACSVAndInAConfigurationAreToldWhereTheyAre(t *testing.T) {
	t.Parallel()
	b := browsertest.Open(t)
	s := servertest.Start(t, servertest.Options{})
	dir := t.TempDir()
	csv, call := filepath.Join(dir, "m.csv"), filepath.Join(dir, "one.wav")
	write(t, csv, "file,callDetails.agent.name\none.wav,x\n")
	write(t, call, string(servertest.Tone(1, 1)))
	signIn(b, s.Base, s.Token, "calls")
	b.Click("=Upload")
	b.AwaitText("main", "No recordings yet")
	b.Drop("main", csv, call)
	b.AwaitText("main", "Line 1: the column “callDetails.agent.name” is no path of metadata")
	b.Click("=Take m.csv out")
	b.Fill("textarea.code", `{"speechModel":{"langage":"en-US"}}`)
	b.Click("=Send 1 recording")
	b.AwaitText(".tray", "Refused", "langage", "code 10008")
	b.Fill("textarea.code", `{"speechModel":`)
	b.AwaitText("main", "The form is back when the JSON is right")
	b.Fill("textarea.code", `{"priority":"low","ingest":{"stereo":{"left":{"speakerName":"Ann"},"right":{"speakerName":"Bob"}}}}`)
	b.Click("=Swap")
	b.Until("the form keeps what it does not know", `(() => {
		const c = JSON.parse(document.querySelector("textarea.code").value);
		return c.priority === "low" && c.ingest.stereo.left.speakerName === "Bob";
	})()`)
}
