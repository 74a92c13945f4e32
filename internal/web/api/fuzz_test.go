package api

import (
	"bytes"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"parley/internal/call/definition"
	"parley/internal/storage/vault"
	"parley/internal/words/fault"
)

func FuzzReceiveNeitherPanicsNorLeavesBytesAfterAnError(f *testing.F) {
	form := "--b\r\nContent-Disposition: form-data; name=\"%\"; filename=\"a.wav\"\r\n\r\nRIFF\r\n"
	for _, kind := range []string{"multipart/form-data; boundary=b", "multipart/form-data",
		"multipart/mixed; boundary=\"b\"", "text/plain", ""} {
		for _, body := range []string{
			"", "--b--\r\n", strings.ReplaceAll(form, "%", "media") + "--b--\r\n",
			strings.ReplaceAll(form, "%", "media"),
			strings.Repeat(strings.ReplaceAll(form, "%", "file"), 2) + "--b--",
			strings.ReplaceAll(form, "%", "configuration") + "--b--\r\n",
			"--b\nContent-Disposition: attachment; name=mediaUrl\n\nhttps://x\n--b--\n", "--b\r\n\r\nx\r\n--b--\r\n",
			strings.ReplaceAll(form, "; filename=\"a.wav\"", "; filename*=utf-8''%") + "--b--\r\n",
		} {
			f.Add(kind, []byte(body))
		}
	}
	blobs, s := openBlobs(f), &Server{Config: Config{UploadTime: time.Minute}}
	f.Fuzz(func(t *testing.T, kind string, body []byte) {
		r := httptest.NewRequest("POST", "/v3/media", bytes.NewReader(body))
		r.Header.Set("Content-Type", kind)
		sub, err := s.receive(&request{Request: r}, vault.Vault{Blobs: blobs}, 1<<10)
		want := 0
		switch {
		case err != nil && fault.KindOf(err) == fault.Internal:
			t.Errorf("an error of ours: %v", err)
		case err == nil && sub.Media != nil:
			want = 1
			if sub.Media.Size > 1<<10 || sub.Media.SHA256 == "" || sub.Media.ContentType == "" {
				t.Errorf("media %+v", sub.Media)
			}
		}
		if n := stored(t, blobs); n != want {
			t.Errorf("%d blobs, want %d (%v)", n, want, err)
		}
		if want == 1 {
			if err := blobs.Delete(t.Context(), sub.Media.Blob); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func FuzzReadQueryDropsNothing(f *testing.F) {
	for _, query := range []string{"", "limit=1", "a;b=c", "limit=1;x=2&", "&&limit=%31", "limit", "%zz=1",
		"limit=+%20", "onOrAfterDate=2026-11-20T07:15:02.1+01:00", "=", "status=ACCEPTED&status=",
		"extendedFilter=a:1&extendedFilter=b;2", "extendedFilter=:"} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) {
		r := httptest.NewRequest("GET", "/v3/media", nil)
		r.URL.RawQuery = query
		values, err := readQuery(r, listParameters...)
		var q listQuery
		if err == nil {
			q, err = readList(values)
		}
		if err != nil {
			if fault.KindOf(err) != fault.Invalid {
				t.Errorf("%q: %v", query, err)
			}
			return
		}
		pairs := 0
		for _, pair := range strings.Split(query, "&") {
			if pair != "" {
				pairs++
			}
		}
		taken := 0
		for _, all := range values {
			taken += len(all)
		}
		if taken != pairs || q.Limit < 1 || q.Limit > maxLimit {
			t.Errorf("%q: %d of %d pairs, limit %d", query, taken, pairs, q.Limit)
		}
		if again, err := url.ParseQuery(values.Encode()); err != nil || again.Encode() != values.Encode() {
			t.Errorf("%q does not survive a link: %q (%v)", query, values.Encode(), err)
		}
	})
}

func FuzzExtendedFilterIsAFieldAndTheRest(f *testing.F) {
	defined := definition.SearchFields{"extended.a", "extended.a:b", "title", "extended.é;"}
	for _, text := range []string{"a:1", "a;1", "a:b:c", "extended.a:", "title::", "é;:x", "x:a:1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		value, ok := extendedFilter(text, defined)
		if !ok {
			return
		}
		name := strings.TrimSuffix(text, value.Text)
		if path, known := defined.Resolve(name[:max(len(name)-1, 0)]); !known || path != value.Field ||
			!strings.ContainsAny(name[len(name)-1:], ":;") {
			t.Errorf("%q is read as %+v", text, value)
		}
	})
}
