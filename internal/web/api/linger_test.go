package api_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"parley/internal/testkit/servertest"
)

// TestClientsThatSendAllBeforeTheyReadSeeWhyTheyAreRefused sends more than the buffers of a connection can hold.
func TestClientsThatSendAllBeforeTheyReadSeeWhyTheyAreRefused(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	media := "--b\r\nContent-Disposition: form-data; name=\"media\"; filename=\"a\"\r\n\r\n" + strings.Repeat("x",
		24<<20) + "\r\n--b--\r\n"
	wrong := "--b\r\nContent-Disposition: form-data; name=\"nix\"\r\n\r\n{}\r\n" + media
	for _, c := range []struct {
		path, token, body string
		chunked           bool
		status            int
	}{
		{"/v3/media", "nobody", media, false, 401},
		{"/v3/media", "nobody", media, true, 401},
		{"/v3/media", s.Token, wrong, false, 400},
		{"/v3/media", s.Token, wrong, true, 400},
		{"/v3/nix", s.Token, media, false, 404},
		{"/v3/media/" + noMedia, s.Token, media, false, 404},
	} {
		head := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: "+
			"multipart/form-data; boundary=b\r\n", c.path, c.token)
		body := fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(c.body), c.body)
		if c.chunked {
			body = fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(c.body), c.body)
		}
		if got, err := blindly(s.Base, head+body); err != nil || got != c.status {
			t.Errorf("%s, chunked %v: status %d, want %d (%v)", c.path, c.chunked, got, c.status, err)
		}
	}
}

// blindly sends a whole request before it reads the status of the answer.
func blindly(base, request string) (status int, err error) {
	connection, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		return 0, err
	}
	defer connection.Close()
	if _, err := io.WriteString(connection, request); err != nil {
		return 0, err
	}
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return response.StatusCode, err
}
