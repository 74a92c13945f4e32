package soak

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"parley/internal/terminal/client"
	"parley/internal/testkit/freeport"
	"parley/internal/testkit/verify"
)

// TestTheReverseProxyOfTheDocumentationPassesRecordings runs nginx in front of a real server, with the settings of
// docs/deployment.md but other addresses and files. An upload larger than nginx's default limit succeeds, stream URLs
// lead through the proxy, and the audit log has the client's address.
func TestTheReverseProxyOfTheDocumentationPassesRecordings(t *testing.T) {
	verify.Long(t)
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil { // nginx's workers may run as another user
		t.Fatal(err)
	}
	port := freeport.On(t, freeport.Usual)
	public := "https://127.0.0.1:" + port
	data := filepath.Join(dir, "data")
	e := newEvents()
	token := firstToken(t, "--data", data)
	n := start(t, e, append(engineFlags(), "--data", data, "--public-url", public, "--trusted-proxies",
		"127.0.0.1/32")...)
	trusted := certificate(t, dir)
	serveNginx(t, dir, documented(t, "nginx"), port, strings.TrimPrefix(n.base, "http://"))

	c := &client.Client{Base: public, Token: token, HTTP: &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: trusted},
		DialContext:     (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}).DialContext,
	}}}
	recording := call() // 1.9 MB, where nginx's default is 1 MiB
	recording.Transcript = spoken(t)
	item, err := c.Submit(t.Context(), recording)
	if err != nil {
		t.Fatalf("%v\n%s", err, nginxLog(dir))
	}
	await(t, c, item.MediaID, e)
	list := string(ask(t, c, http.MethodGet, "/v3/media/"+item.MediaID+"/streams", nil))
	if !strings.Contains(list, `"streamLocation":"`+public+"/v3/media/") {
		t.Errorf("streams: %s", list)
	}
	if log := string(ask(t, c, http.MethodGet, "/v3/audit?mediaId="+item.MediaID, nil)); !strings.Contains(log,
		`"remoteAddress":"127.0.0.2"`) {
		t.Errorf("audit log: %s", log)
	}
}

// documented returns the one block of docs/deployment.md in a language.
func documented(t *testing.T, language string) string {
	t.Helper()
	page, err := os.ReadFile("../../../docs/deployment.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks, _ := examples(string(page))
	for _, b := range blocks {
		if b.language == language {
			return b.text
		}
	}
	t.Fatalf("docs/deployment.md has no block in %s", language)
	return ""
}

// changed returns settings in which regular expressions are replaced; each of them must match.
func changed(t *testing.T, settings string, replacements [][2]string) string {
	t.Helper()
	for _, r := range replacements {
		before := settings
		if settings = regexp.MustCompile(r[0]).ReplaceAllString(settings, r[1]); settings == before {
			t.Fatalf("the settings lack %s", r[0])
		}
	}
	return settings
}

// serveNginx runs nginx with settings in which port, files and the address behind it are this test's, until the test
// ends.
func serveNginx(t *testing.T, dir, settings, port, behind string) {
	t.Helper()
	program, err := exec.LookPath("nginx")
	if err != nil {
		t.Fatalf("%v; install nginx-light", err)
	}
	settings = changed(t, settings, [][2]string{
		{`listen 443 ssl`, "listen 127.0.0.1:" + port + " ssl"},
		{`/\S*fullchain.pem`, dir + "/cert.pem"}, {`/\S*privkey.pem`, dir + "/key.pem"},
		{`127\.0\.0\.1:8080`, behind},
	})
	whole := fmt.Sprintf("daemon off;\npid %[1]s/nginx.pid;\nerror_log %[1]s/nginx.log;\nevents {}\nhttp "+
		"{\naccess_log off;\n"+
		"client_body_temp_path %[1]s/body;\nproxy_temp_path %[1]s/proxy;\nfastcgi_temp_path "+
		"%[1]s/f;\nuwsgi_temp_path %[1]s/u;\nscgi_temp_path %[1]s/s;\n%[2]s}\n",
		dir, settings)
	file := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(file, []byte(whole), 0o644); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(program, "-c", file, "-p", dir)
	command.Stderr = os.Stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		command.Process.Signal(os.Interrupt)
		command.Wait()
	})
	listening := func() bool {
		connection, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			connection.Close()
		}
		return err == nil
	}
	if !eventually(t.Context(), listening) {
		t.Fatalf("nginx does not listen: %s", nginxLog(dir))
	}
}

func nginxLog(dir string) string {
	log, _ := os.ReadFile(filepath.Join(dir, "nginx.log"))
	return string(log)
}

// certificate makes one as docs/deployment.md says, and returns what trusts it.
func certificate(t *testing.T, dir string) *x509.CertPool {
	t.Helper()
	page, err := os.ReadFile("../../../docs/deployment.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks, _ := examples(string(page))
	for _, b := range blocks {
		if strings.HasPrefix(b.text, "openssl") {
			command := exec.CommandContext(t.Context(), "sh", "-ec", b.text)
			command.Dir = dir
			if out, err := command.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		}
	}
	pem, err := os.ReadFile(filepath.Join(dir, "cert.pem"))
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	return pool
}
