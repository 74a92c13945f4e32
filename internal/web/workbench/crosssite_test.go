package workbench_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"parley/internal/testkit/browsertest"
	"parley/internal/testkit/servertest"
	"parley/internal/testkit/stage"
	"parley/internal/testkit/verify"
)

// attack is the page of another origin. It sends every request in every way that a page can without the consent of the
// server, reads what it can, and embeds what it can. It returns what succeeded.
const attack = `async (base, routes, media) => {
	const won = [];
	const body = () => JSON.stringify({ query: "* SAYS \"attack\"", description: "attack", categoryDescription: "attack" });
	const send = async ({ method, path }) => {
		for (const mode of ["cors", "no-cors"]) {
			for (const type of ["text/plain", "application/json"]) {
				const init = { method, mode, credentials: "include", headers: { "Content-Type": type } };
				if (method !== "GET") init.body = body();
				try {
					const answer = await fetch(base + path, { ...init, signal: AbortSignal.timeout(5000) });
					if (answer.type !== "opaque") won.push(method + " " + path + " is readable: " + answer.status);
				} catch {}
			}
		}
		if (method === "POST") {
			for (const enctype of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
				const target = "f" + Math.random();
				const frame = Object.assign(document.createElement("iframe"), { name: target });
				const form = Object.assign(document.createElement("form"), { action: base + path, method, enctype, target });
				form.append(Object.assign(document.createElement("input"), { name: '{"description":"attack","x":"', value: '"}' }));
				document.body.append(frame, form);
				form.submit();
				await new Promise((done) => (frame.onload = done, setTimeout(done, 1000)));
				form.remove();
			}
		}
	};
	await Promise.all(routes.map(send));
	const loads = (e, address) => new Promise((done) => {
		e.onload = e.onloadeddata = e.onloadedmetadata = () => done(won.push(e.tagName + " shows " + address));
		e.onerror = done;
		e.src = address;
		document.body.append(e);
		setTimeout(done, 1500);
	});
	const elements = () => [new Image(), document.createElement("audio"), document.createElement("script")];
	await Promise.all(media.flatMap((path) => elements().map((e) => loads(e, base + path))));
	await new Promise((done) => {
		const socket = new WebSocket(base.replace("http", "ws") + "/v3/media");
		socket.onopen = () => done(won.push("a socket is open"));
		socket.onerror = done;
	});
	return won;
}`

func TestAnotherSiteDoesAndReadsNothingInASession(t *testing.T) {
	verify.Long(t)
	t.Parallel()
	full, s := stage.Full(t)
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>evil</title><h1>evil</h1>")
	}))
	defer evil.Close()
	routes := everyRoute(t, s, full)
	media := []string{"/ui/", "/v3/media/" + full.Items[stage.Sample] + "/streams/original",
		"/v3/media/" + full.Items[stage.Sample] + "/transcript"}
	for name, from := range map[string]string{
		"of another port": evil.URL,
		"of another host": strings.Replace(evil.URL, "127.0.0.1", "localhost", 1),
	} {
		t.Run(name, func(t *testing.T) {
			b := browsertest.Open(t)
			signIn(b, s.Base, full.Token, "upload")
			own := fmt.Sprintf(`(%s)(%q, [{ method: "GET", path: "/v3/media" }], [])`, attack, s.Base)
			if won := texts(b, own); len(won) == 0 {
				t.Error("a page of the server itself reads nothing in its session")
			}
			before := state(t, s)
			b.Open(from, "h1")
			list, err := json.Marshal(routes)
			if err != nil {
				t.Fatal(err)
			}
			kept, err := json.Marshal(media)
			if err != nil {
				t.Fatal(err)
			}
			for _, won := range texts(b, fmt.Sprintf("(%s)(%q, %s, %s)", attack, s.Base, list, kept)) {
				t.Errorf("a page %s: %s", name, won)
			}
			framed(t, b, s.Base)
			if after := state(t, s); after != before {
				t.Errorf("before:\n%s\nafter:\n%s", before, after)
			}
			b.Open(s.Base+"/ui/#/upload", "nav.rail") // the session goes on
		})
	}
}

// framed checks that no page of the server shows in a frame of the present page.
func framed(t *testing.T, b *browsertest.Tab, base string) {
	t.Helper()
	for _, path := range []string{"/ui/", "/ui/#/calls", "/docs", "/v3/media", "/openapi.json"} {
		b.Run(fmt.Sprintf(`new Promise((done) => {
			const frame = document.createElement("iframe");
			frame.id = "framed";
			frame.onload = done;
			frame.src = %q;
			document.getElementById("framed")?.remove();
			document.body.append(frame);
		}).then(() => 0)`, base+path))
		tree := b.Send("Page.getFrameTree", nil)["frameTree"].(map[string]any)
		children, _ := tree["childFrames"].([]any)
		for _, c := range children {
			frame := c.(map[string]any)["frame"].(map[string]any)
			if address := fmt.Sprint(frame["url"]); strings.HasPrefix(address, base) && path == "/ui/" {
				t.Errorf("%s is shown in a frame", address)
			}
		}
	}
}

// state is what the account has, and what was done to it. Sign-ins are left out.
func state(t *testing.T, s *servertest.Server) string {
	t.Helper()
	var all strings.Builder
	for _, path := range []string{"/v3/media?limit=1000", "/v3/definition/categories?expand=true",
		"/v3/definition/spotting/groups", "/v3/definition/vocabularies", "/v3/analytics/queries", "/v3/profile/keys",
		"/v3/security/public-keys", "/v3/callbacks/secrets", "/v3/definition/media/search",
		"/v3/definition/prediction/classifiers"} {
		answer := s.Get(t, path)
		if path == "/v3/profile/keys" { // when keys were last used changes
			var keys struct{ Keys []struct{ ID string } }
			if err := json.Unmarshal(answer.Body, &keys); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(&all, path, keys)
			continue
		}
		fmt.Fprintln(&all, path, len(answer.Body))
	}
	return all.String()
}

// request is a request that the page of another site sends.
type request struct {
	Method string `json:"method"`
	Path   string `json:"path"`
}

// everyRoute returns all routes that the description names, with ids that exist where that matters.
func everyRoute(t *testing.T, s *servertest.Server, full *stage.Stage) (all []request) {
	t.Helper()
	var description struct {
		Paths map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(s.Get(t, "/openapi.json").Body, &description); err != nil {
		t.Fatal(err)
	}
	fill := strings.NewReplacer("{mediaId}", full.Items[stage.Sample], "{categoryName}", "at-risk", "{groupName}", "payment",
		"{vocabularyName}", "products", "{queryName}", "offers", "{streamName}", "original", "{format}", "text")
	for path, methods := range description.Paths {
		for method := range methods {
			switch method {
			case "get", "post", "put", "delete", "patch":
				all = append(all, request{strings.ToUpper(method), fill.Replace(path)})
			}
		}
	}
	all = append(all, request{"POST", "/ui/session"}, request{"DELETE", "/ui/session"})
	if len(all) < 50 {
		t.Fatalf("the description has only %d routes", len(all))
	}
	for i := range all {
		if _, err := url.Parse(all[i].Path); err != nil {
			t.Fatal(err)
		}
	}
	return all
}
