package api_test

import (
	"bytes"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/internal/operation/config"
	"parley/internal/storage/store"
	"parley/internal/testkit/servertest"
	"parley/internal/web/auth"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// only disables workers: uploads stay scheduled.
func only(c *config.Settings) { c.Role = config.RoleAPI }

func TestStreamsServeRanges(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	path := "/v3/media/" + s.Submit(t, recording) + "/streams/original"
	all := ok(t, s.Get(t, path))
	if !bytes.Equal(all.Body, recording.Body) || all.Header.Get("Content-Type") != "audio/wav" ||
		all.Header.Get("Accept-Ranges") != "bytes" {
		t.Errorf("%d bytes, %v", len(all.Body), all.Header)
	}
	tag, size := all.Header.Get("ETag"), len(recording.Body)
	head := ok(t, s.Do(t, "HEAD", path, nil))
	if len(head.Body) != 0 || head.Header.Get("Content-Length") != all.Header.Get("Content-Length") ||
		head.Header.Get("ETag") != tag {
		t.Errorf("HEAD %v", head.Header)
	}
	for header, want := range map[string][]byte{
		"bytes=0-3": recording.Body[:4], "bytes=1000-": recording.Body[1000:], "bytes=-7": recording.Body[size-7:],
		"bytes=5-5": recording.Body[5:6],
	} {
		part := s.Get(t, path, "Range", header)
		if part.Status != 206 || !bytes.Equal(part.Body, want) || part.Header.Get("Content-Range") == "" {
			t.Errorf("Range %s: HTTP %d, %d bytes, %q", header, part.Status, len(part.Body),
				part.Header.Get("Content-Range"))
		}
		if same := s.Get(t, path, "Range", header, "If-Range", tag); same.Status != 206 {
			t.Errorf("If-Range of the same bytes: HTTP %d", same.Status)
		}
		if other := s.Get(t, path, "Range", header, "If-Range", `"other"`); other.Status != 200 ||
			len(other.Body) != size {
			t.Errorf("If-Range of other bytes: HTTP %d, %d bytes", other.Status, len(other.Body))
		}
	}
	if cached := s.Get(t, path, "If-None-Match", tag); cached.Status != 304 || len(cached.Body) != 0 {
		t.Errorf("If-None-Match: HTTP %d", cached.Status)
	}
	refused(t, s.Get(t, path, "Range", "bytes=99999999-"), 416, 95020, "99999999", "bytes")
	refused(t, s.Get(t, path, "If-Match", `"other"`), 412, 95014)
	for _, last := range []string{"bytes=-0", "bytes=-00,-0"} {
		none := s.Get(t, path, "Range", last)
		refused(t, none, 416, 95020, last)
		if none.Header.Get("Content-Range") != "bytes */"+strconv.Itoa(size) {
			t.Errorf("Range %s: %q", last, none.Header.Get("Content-Range"))
		}
	}
	for _, name := range []string{"redacted-audio", "redacted"} {
		refused(t, s.Get(t, strings.Replace(path, "original", name, 1)), 404, 10205, `"redacted-audio"`)
	}
}

func TestStreamsAreNamedByItemAndFormat(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	for _, c := range []struct {
		part   servertest.Part
		ending string
	}{
		{recording, "-original.wav"}, {servertest.File("media", "../../x;y.mp3",
			[]byte("ID3\x04\x00\x00\x00\x00\x00\x00")), "-original.mp3"},
		{servertest.File("media", "x.exe", []byte("MZ")), "-original"},
	} {
		id := s.Submit(t, c.part)
		kind, params, err := mime.ParseMediaType(ok(t,
			s.Get(t, "/v3/media/"+id+"/streams/original")).Header.Get("Content-Disposition"))
		if err != nil || kind != "inline" || params["filename"] != id+c.ending {
			t.Errorf("%s %v, %v; want %s", kind, params, err, id+c.ending)
		}
	}
}

func TestRedactedIsAnotherNameOfTheRedactedAudio(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	id, owner := s.Submit(t, recording), s.Account(t, account.DefaultName).ID
	err := s.Server.Store.Update(t.Context(), func(tx *store.Tx) error {
		original, err := tx.Stream(owner, media.ID(id), media.Original)
		original.Name = media.RedactedAudio
		if err == nil {
			_, err = tx.PutStream(media.ID(id), original)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	path := "/v3/media/" + id + "/streams/"
	for _, name := range []string{"redacted", "redacted-audio"} {
		if a := ok(t, s.Get(t, path+name)); !bytes.Equal(a.Body, recording.Body) {
			t.Errorf("%s: %d bytes", name, len(a.Body))
		}
	}
	where := at(t, ok(t, s.Get(t, path+"redacted", "Accept", "application/json")).JSON(t), "streamLocation").(string)
	if !strings.Contains(where, "/streams/redacted-audio?") {
		t.Errorf("it lies at %s", where)
	}
	ok(t, s.With("").Get(t, where))
	ok(t, s.With("").Get(t, strings.Replace(where, "/redacted-audio?", "/redacted?", 1)))
}

func TestRangesOfOtherUnitsArePassedOver(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	path := "/v3/media/" + s.Submit(t, recording) + "/streams/original"
	if other := s.Get(t, path, "Range", "seconds=0-1"); other.Status != 200 ||
		!bytes.Equal(other.Body, recording.Body) {
		t.Errorf("another unit: HTTP %d, %d bytes", other.Status, len(other.Body))
	}
	if part := s.Get(t, path, "Range", "Bytes=0-3,-0"); part.Status != 206 ||
		!bytes.Equal(part.Body, recording.Body[:4]) {
		t.Errorf("capitals, and the last 0 bytes: HTTP %d, %q", part.Status, part.Body)
	}
}

// Only GET has ranges (RFC 9110, 14.2).
func TestHEADTellsTheWholeLengthWhateverTheRange(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	path := "/v3/media/" + s.Submit(t, recording) + "/streams/original"
	for _, header := range []string{"bytes=0-3", "bytes=99999999-", "bytes=0-3,8-9", "nothing"} {
		head := s.Do(t, "HEAD", path, nil, "Range", header)
		if head.Status != 200 || head.Header.Get("Content-Length") != strconv.Itoa(len(recording.Body)) ||
			head.Header.Get("Content-Range") != "" || head.Header.Get("Accept-Ranges") != "bytes" {
			t.Errorf("Range %s: HTTP %d, %v", header, head.Status, head.Header)
		}
	}
}

func TestStreamsServeSeveralRanges(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	a := s.Get(t, "/v3/media/"+s.Submit(t, recording)+"/streams/original", "Range", "bytes=0-3,100-109")
	kind, params, err := mime.ParseMediaType(a.Header.Get("Content-Type"))
	if a.Status != 206 || err != nil || kind != "multipart/byteranges" {
		t.Fatalf("HTTP %d, %s", a.Status, a.Header.Get("Content-Type"))
	}
	parts := multipart.NewReader(bytes.NewReader(a.Body), params["boundary"])
	for _, want := range [][]byte{recording.Body[:4], recording.Body[100:110]} {
		part, err := parts.NextPart()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(part); err != nil || !bytes.Equal(got, want) ||
			part.Header.Get("Content-Type") != "audio/wav" {
			t.Errorf("part %q of %s, %v", got, part.Header.Get("Content-Type"), err)
		}
	}
}

// location returns the signed URL of an item's original.
func location(t *testing.T, c *servertest.Client, id string) string {
	t.Helper()
	streams := ok(t, c.Get(t, "/v3/media/"+id+"/streams")).JSON(t)["streams"].([]any)
	return at(t, streams[0], "streamLocation").(string)
}

// altered returns a URL with another value of a parameter.
func altered(t *testing.T, address, name, value string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set(name, value)
	u.RawQuery = q.Encode()
	return u.String()
}

func TestSignedAddressWorksWithoutATokenAndOnlyForItsStream(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	id, other := s.Submit(t, recording), s.Submit(t, recording)
	signed, nobody := location(t, s.Client, id), s.With("")
	for _, accept := range []string{"", "application/json", "audio/*"} {
		if a := ok(t, nobody.Get(t, signed, "Accept", accept)); !bytes.Equal(a.Body, recording.Body) {
			t.Errorf("Accept %q: %s", accept, a.Body[:min(len(a.Body), 200)])
		}
	}
	if part := nobody.Get(t, signed, "Range", "bytes=0-3"); part.Status != 206 || string(part.Body) != "RIFF" {
		t.Errorf("range of a signed address: HTTP %d", part.Status)
	}
	for name, wrong := range map[string]string{
		"other media":     strings.Replace(signed, id, other, 1),
		"other stream":    strings.Replace(signed, "/original", "/redacted-audio", 1),
		"later end":       altered(t, signed, "expires", "9999999999"),
		"other account":   altered(t, signed, "account", noMedia),
		"other signature": altered(t, signed, "signature", strings.Repeat("A", 43)),
		"no signature":    altered(t, signed, "signature", ""),
		"no number":       altered(t, signed, "expires", "never"),
	} {
		for who, client := range map[string]*servertest.Client{"nobody": nobody, "the owner": s.Client} {
			if a := client.Get(t, wrong); a.Status != 403 || a.Code(t) != 95009 {
				t.Errorf("%s, %s: %s", name, who, a)
			}
		}
	}
	refused(t, nobody.Get(t, signed+"&signature=x"), 400, 95002, "signature", "once")
	refused(t, nobody.Get(t, signed+"&download=1"), 400, 95002, "download")
	refused(t, nobody.Get(t, strings.Replace(signed, "/original", "", 1)), 401, 10002)
}

func TestSignedAddressExpires(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	id := s.Submit(t, recording)
	var stored []byte
	err := s.Server.Store.Update(t.Context(), func(tx *store.Tx) (err error) {
		stored, err = tx.Setting("stream-url-key")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	keys, err := auth.DecodeKeys(stored)
	if err != nil {
		t.Fatal(err)
	}
	sign := func(expires time.Time) string {
		grant := auth.Grant{Account: s.Account(t, account.DefaultName).ID, Media: media.ID(id), Stream: media.Original,
			Expires: expires}
		return "/v3/media/" + id + "/streams/original?" + keys.Sign(grant, time.Now()).Encode()
	}
	ok(t, s.With("").Get(t, sign(time.Now().Add(time.Minute))))
	refused(t, s.With("").Get(t, sign(time.Now().Add(-time.Second))), 403, 95009, "expired")
}

func TestSignedAddressDiesWithTheItemAndTheAccount(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	id := s.Submit(t, recording)
	signed := location(t, s.Client, id)
	if a := s.Do(t, "DELETE", "/v3/media/"+id, nil); a.Status != 204 {
		t.Fatalf("DELETE: HTTP %d", a.Status)
	}
	refused(t, s.With("").Get(t, signed), 404, 10205)
	firm := s.As(t, "firm", account.AllScopes...)
	signed = location(t, firm, firm.Submit(t, recording))
	ok(t, s.With("").Get(t, signed))
	s.Disable(t, s.Account(t, "firm"))
	refused(t, s.With("").Get(t, signed), 403, 95009, "disabled")
}

func TestStreamLocationIsUnderThePublicURL(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) {
		only(c)
		c.PublicURL = &url.URL{Scheme: "https", Host: "calls.example.com"}
	}})
	id := s.Submit(t, recording)
	if got := location(t, s.Client, id); !strings.HasPrefix(got,
		"https://calls.example.com/v3/media/"+id+"/streams/original?") {
		t.Errorf("streamLocation %s", got)
	}
}

func TestUploadsNeverRunAsPagesOfOurs(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	id := s.Submit(t, servertest.Part{Name: "media", Filename: "x.html", ContentType: "text/html",
		Body: []byte("<html><script>alert(1)</script></html>")})
	a := ok(t, s.With("").Get(t, location(t, s.Client, id)))
	if kind := a.Header.Get("Content-Type"); kind != "application/octet-stream" {
		t.Errorf("Content-Type %s", kind)
	}
	if a.Header.Get("X-Content-Type-Options") != "nosniff" ||
		!strings.Contains(a.Header.Get("Content-Security-Policy"), "sandbox") {
		t.Errorf("%v", a.Header)
	}
}

func TestBrowsersOfConfiguredOriginsMayCall(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) {
		only(c)
		c.AllowOrigins = []string{"https://player.example.com"}
	}})
	path := "/v3/media/" + s.Submit(t, recording) + "/streams/original"
	preflight := s.With("").Do(t, "OPTIONS", path, nil, "Origin", "https://player.example.com",
		"Access-Control-Request-Method", "GET", "Access-Control-Request-Headers", "authorization,range")
	header := preflight.Header
	if preflight.Status != 204 || header.Get("Access-Control-Allow-Origin") != "https://player.example.com" ||
		!strings.Contains(header.Get("Access-Control-Allow-Headers"), "Authorization") ||
		!strings.Contains(header.Get("Access-Control-Allow-Methods"), "DELETE") {
		t.Errorf("HTTP %d, %v", preflight.Status, header)
	}
	a := ok(t, s.Get(t, path, "Origin", "https://player.example.com"))
	if a.Header.Get("Access-Control-Allow-Origin") != "https://player.example.com" || a.Header.Get("Vary") != "Origin" {
		t.Errorf("%v", a.Header)
	}
	failed := s.With("").Get(t, path, "Origin", "https://player.example.com")
	if failed.Status != 401 || failed.Header.Get("Access-Control-Allow-Origin") == "" {
		t.Errorf("a refusal cannot be read: HTTP %d, %v", failed.Status, failed.Header)
	}
	if a := s.Get(t, path, "Origin", "https://evil.example.com"); a.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("another origin is allowed: %v", a.Header)
	}
	if a := s.Do(t, "OPTIONS", path, nil, "Origin", "https://evil.example.com", "Access-Control-Request-Method",
		"GET"); a.Status != http.StatusMethodNotAllowed {
		t.Errorf("preflight of another origin: HTTP %d", a.Status)
	}
}
