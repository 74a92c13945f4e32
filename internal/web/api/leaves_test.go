package api_test

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"parley/internal/call/delivery"
	"parley/internal/storage/store"
	"parley/internal/testkit/servertest"
	"parley/internal/testkit/verify"
	"parley/internal/web/api"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// marks are words that occur in only one kind of content each, with the scopes that are needed to see it. No request
// contains them.
var marks = []struct {
	kind, mark string
	scope      account.Scope
}{
	{"words", "quokka", account.MediaRead},
	{"speakers", "numbat", account.MediaRead},
	{"metadata", "wombat", account.MediaRead},
	{"recording", "kookaburra", account.MediaRead},
	{"answers", "dugong", account.MediaRead},
	{"addresses", "potto", account.MediaRead},
	{"definitions", "bilby", account.Definitions},
	{"statements", "potoroo", account.Analytics},
}

// marked is an account that has every kind of content, each with its mark.
type marked struct {
	*servertest.Server
	item, other, spare string // a call, and others to reprocess and to change
	sealed             string
	classifier         string
	deliveries         int
}

func newMarked(t *testing.T) *marked {
	m := &marked{Server: servertest.Start(t, servertest.Options{})}
	for path, body := range map[string]string{
		vocabularies + "/marked":   `{"terms":[{"term":"bilby"}]}`,
		groups + "/marked":         `{"keywords":["bilby","hello"]}`,
		categoriesPath + "/marked": `{"query":"* SAYS (\"bilby\" || \"quok*\")","categoryDescription":"bilby","notes":"bilby"}`,
		queriesPath + "/marked":    `{"query":"* SAYS \"potoroo\"","queryDescription":"potoroo"}`,
		presetsPath + "/marked": `{"presetDescription":"bilby","configuration":{"publish":{"callbacks":[` +
			`{"url":"https://example.com/potto?key=potto"}]}}}`,
		dashboardsPath + "/marked": `{"title":"bilby","tiles":[{"statement":"SELECT count(*) FROM media MATCH 'bilby'"}]}`,
	} {
		ok(t, m.Do(t, http.MethodPut, path, strings.NewReader(body)))
	}
	m.classifier = trained(t, m.Server,
		ok(t, m.Do(t, http.MethodPost, classifiers,
			strings.NewReader(strings.ReplaceAll(trainingSet("marked"), `"text":"`, `"text":"bilby `)))))
	m.item, m.other, m.spare = m.submit(t), m.submit(t), m.submit(t)
	m.sealed = m.Seal(t, account.DefaultName, []byte("kookaburra"), []byte("kookaburra"))
	m.deliver(t)
	m.Idle(t)
	return m
}

// deliver records another delivery of the call, with an answer of its receiver, and returns its id.
func (m *marked) deliver(t *testing.T) string {
	t.Helper()
	m.deliveries++
	id := fmt.Sprint("msg_", m.deliveries)
	m.Deliver(t, account.DefaultName, m.item, id)
	m.try(t, id, http.StatusOK)
	return id
}

// try records an answer of a delivery's receiver.
func (m *marked) try(t *testing.T, id string, status int) {
	t.Helper()
	own := m.Account(t, account.DefaultName).ID
	err := m.Server.Server.Store.Update(t.Context(), func(tx *store.Tx) error {
		d, err := tx.Delivery(own, media.ID(m.item), id)
		if err != nil {
			return err
		}
		return tx.AddTry(d, delivery.Try{At: time.Now(), Status: status, Answer: []byte("dugong")})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// submit posts a call with marks, indexed for analytics.
func (m *marked) submit(t *testing.T) string {
	t.Helper()
	sound := servertest.Tone(2, 1)
	binary.LittleEndian.PutUint32(sound[24:], 16000) // the rate of clips, so that they have the same bytes
	binary.LittleEndian.PutUint32(sound[28:], 2*16000)
	copy(sound[2000:], "kookaburra")
	id := m.Submit(t, servertest.File("media", "call.wav", sound),
		servertest.Field("transcript",
			`{"words":[{"w":"Numbat:","m":"turn","s":0,"e":900},{"w":"hello","s":100,"e":400},{"w":"quokka","s":500,"e":900}]}`),
		servertest.Field("metadata", `{"externalId":"wombat","title":"wombat","description":"wombat","extended":{"pet":"wombat"}}`),
		servertest.Field("configuration",
			`{"publish":{"enableAnalyticIndexing":true},"spotting":{"groups":[{"groupName":"marked"}]},"categories":[{"categoryName":"marked"}]}`))
	m.Await(t, id)
	return id
}

// path fills the parameters of a route with marked objects, or with objects that may be changed and deleted.
func (m *marked) path(t *testing.T, r api.Route) string {
	id, name, callback := m.item, "marked", "msg_1"
	switch {
	case strings.HasSuffix(r.Path, "/retry"):
		callback = m.deliver(t)
	case strings.HasSuffix(r.Path, "/callbacks/endpoints"):
		m.try(t, "msg_1", http.StatusTeapot)
	case r.Method == http.MethodPost && strings.HasSuffix(r.Path, "/apply"):
		m.Idle(t)
	case r.Method == http.MethodDelete && strings.HasPrefix(r.Path, "/v3/media"):
		id = m.Submit(t, recording)
	case r.Method == http.MethodPost && r.Path == "/v3/media/{mediaId}":
		id = m.other
		m.Await(t, id)
	case r.Method == http.MethodPut:
		id, name = m.spare, "spare"
	case strings.HasSuffix(r.Path, "/encrypted"):
		id = m.sealed
	}
	if r.Method == http.MethodDelete {
		name = "spare"
	}
	return strings.NewReplacer("{mediaId}", id, "{vocabularyName}", name, "{groupName}", name, "{categoryName}", name,
		"{queryName}", name, "{presetName}", name, "{dashboardName}", name,
		"{classifierId}", map[bool]string{true: m.classifier, false: noMedia}[r.Method == http.MethodGet],
		"{callbackId}", callback,
		"{format}", "text", "{streamName}", "original", "{year}", "2026", "{month}", "11", "{detectorId}", "PCI",
		"{jobId}", noMedia,
		"{keyId}", noMedia, "{secretId}", noMedia, "{retryId}", m.retried(t), "{publicKeyId}", noMedia).Replace(r.Path)
}

// retried returns the id of a request to send the deliveries to a marked address again.
func (m *marked) retried(t *testing.T) string {
	t.Helper()
	return ok(t, m.Do(t, http.MethodPost, retryPath, strings.NewReader(markedRetry))).JSON(t)["retryId"].(string)
}

// asked returns the requests to a route: queries and bodies.
func asked(t *testing.T, r api.Route) (all []struct{ query, body, contentType string }) {
	add := func(query, body, contentType string) {
		all = append(all, struct{ query, body, contentType string }{query, body, contentType})
	}
	switch {
	case strings.HasSuffix(r.Path, "/clip"):
		add("?s=0&e=100", "", "")
	case r.Path == vbqlPath:
		for _, text := range []string{
			`*`, `* SAYS "quok*"`, `SELECT mediaId, hits() FROM media WHERE * SAYS "quok*"`,
			`SELECT hits() AS x FROM media WHERE * SAYS "hello"/1`, `SELECT * FROM media MATCH 'quok*'`,
			`EXPLAIN SELECT hits() FROM media WHERE * SAYS "quok*"`, `SELECT title FROM media`,
			`SELECT description, externalId FROM media`, `SELECT metadata FROM media`,
			`SELECT metadata:pet AS x FROM media`, `SELECT metadata:pet, count(*) FROM media GROUP BY metadata:pet`,
			`SELECT title AS x, count(*) FROM media GROUP BY x`,
			`SELECT min(title), max(metadata:pet) FROM media`, `SELECT count(title), count(*) FROM media`,
			`SELECT mediaId FROM media WHERE title LIKE "wom%" ORDER BY title`,
			`categories:"marke" = 1`, `spotting:"marke" = 1`,
			`SELECT categories:"marked", spotting:"marked" FROM media`, `SELECT titel FROM media`,
		} {
			add("", text, "text/plain")
		}
	case r.Path == "/v3/analytics/export":
		for _, table := range []string{"calls", "words", "metrics", "categories"} {
			for _, format := range []string{"csv", "parquet"} {
				add("", fmt.Sprintf(`{"table":%q,"format":%q}`, table, format), "application/json")
			}
		}
	case r.Path == explorePath:
		for _, body := range []string{``, `{"facets":["language","status","categories:\"marked\"","length"]}`,
			`{"where":"* SAYS \"quok*\""}`, `{"words":"quok*"}`, `{"where":"silence(100ms)"}`,
			`{"facets":["title"]}`, `{"facets":["language","metadata:pet"],"include":["facets"]}`,
			`{"where":"title LIKE \"wom%\"","include":["total"]}`, `{"facets":["titel"]}`} {
			add("", body, "application/json")
		}
	case r.Path == valuesPath:
		for _, field := range []string{"language", "title", "metadata:pet", "externalId", "categories:marked", "titel"} {
			add("?field="+field, "", "")
		}
	case r.Path == distributionsPath:
		add("", "", "")
		add("?where="+url.QueryEscape(`* SAYS "quok*"`), "", "")
	case r.Path == whyPath:
		for _, body := range []string{`{"query":"* SAYS \"quok*\""}`, `{"query":"* SAYS \"hello quokke\""}`,
			`{"query":"metadata:pet = \"x\" AND \"agent\" SAYS \"quok*\""}`, `{"query":"silence(100ms) OR length > 5"}`,
			`{"categoryName":"marked"}`} {
			add("", body, "application/json")
		}
	case r.Path == checkPath:
		add("", `{"condition":"categories:\"marke\" = 1 AND spotting:\"marke\" = 1"}`, "application/json")
	case strings.HasSuffix(r.Path, "/test"):
		add("", `{"query":"length >= 0","compareWith":"saved","groupBy":"language"}`, "application/json")
		add("", `{"query":"length >= 0","compareWith":{"condition":"* SAYS \"quok*\""},"groupBy":"day"}`, "application/json")
		add("", `{"query":"length >= 0","groupBy":"metadata:pet"}`, "application/json")
		add("", `{"query":"* SAYS \"quok*\""}`, "application/json")
		add("", `{}`, "application/json")
	case r.Method == http.MethodPost && (r.Path == "/v3/media" || r.Path == "/v3/media/{mediaId}"):
		var parts []servertest.Part
		if r.Path == "/v3/media" {
			parts = append(parts, recording)
		}
		form, contentType := servertest.Form(t, parts...)
		add("", string(form), contentType)
		form, contentType = servertest.Form(t,
			append(parts, servertest.Field("configuration",
				`{"publish":{"callbacks":[{"url":"https://example.com/"}]}}`))...)
		add("", string(form), contentType)
	case r.Method == http.MethodPost && r.Path == classifiers:
		add("", trainingSet("theirs"), "application/json")
	case r.Method == http.MethodPost && r.Path == publicKeys:
		add("", publicKey, "application/pgp-keys")
	case r.Method == http.MethodPost && r.Path == "/v3/profile/keys":
		add("", "{}", "application/json")
	case r.Method == http.MethodPut:
		add("", bodyFor(strings.ReplaceAll(r.Path, "{vocabularyName}", "spare")), "application/json")
	case r.Path == "/v3/media" && r.Method == http.MethodGet:
		add("", "", "")
		add("?query="+url.QueryEscape("hello"), "", "")
	case r.Path == changesPath:
		add("?after=0&wait=30", "", "")
	case r.Path == retryPath:
		add("", markedRetry, "application/json")
	case r.Path == "/v3/media/{mediaId}":
		add("?includeAlternateFormat="+allFormats, "", "")
	default:
		add("", "", "")
	}
	return all
}

// leaves returns the kinds of content that a route shows to a token.
func (m *marked) leaves(t *testing.T, r api.Route, scopes ...account.Scope) string {
	t.Helper()
	c := m.As(t, account.DefaultName, scopes...)
	var kinds []string
	for _, request := range asked(t, r) {
		var headers []string
		if request.contentType != "" {
			headers = []string{"Content-Type", request.contentType}
		}
		var body io.Reader
		if request.body != "" {
			body = strings.NewReader(request.body)
		}
		a := c.Do(t, r.Method, m.path(t, r)+request.query, body, headers...)
		if a.Status == http.StatusConflict && strings.HasPrefix(r.Path, "/v3/media") || a.Status >= 500 {
			t.Errorf("%s %s: %s", r.Method, r.Path, a)
		}
		said := strings.ToLower(fmt.Sprint(a.Header)) + strings.ToLower(string(a.Body)) + strings.ToLower(cells(t, a))
		for _, k := range marks {
			encoded := strings.ToLower(base64.StdEncoding.EncodeToString([]byte(k.mark)))
			if (strings.Contains(said, k.mark) || strings.Contains(said, encoded)) && !slices.Contains(kinds, k.kind) {
				kinds = append(kinds, k.kind)
			}
		}
	}
	slices.Sort(kinds)
	return strings.Join(kinds, ", ")
}

// cells returns the content of the cells of a Parquet file, which is compressed.
func cells(t *testing.T, a servertest.Answer) string {
	if !strings.Contains(a.Header.Get("Content-Type"), "parquet") {
		return ""
	}
	f, err := parquet.OpenFile(bytes.NewReader(a.Body), int64(len(a.Body)))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, group := range f.RowGroups() {
		rows, buffer := group.Rows(), make([]parquet.Row, 100)
		for {
			n, err := rows.ReadRows(buffer)
			for _, row := range buffer[:n] {
				for _, cell := range row {
					fmt.Fprint(&all, cell.String(), " ")
				}
			}
			if err != nil {
				break
			}
		}
		rows.Close()
	}
	return all.String()
}

// TestContentsLeaveWithTheScopesOfTheTable calls every route with every scope and searches the answers for contents:
// they must match the table in docs/accounts.md.
func TestContentsLeaveWithTheScopesOfTheTable(t *testing.T) {
	t.Parallel()
	m := newMarked(t)
	table, seen := []string{}, map[string]bool{}
	for _, r := range api.Routes() {
		scope := needed(r)
		if scope == "" {
			if kinds := m.leaves(t, r); kinds != "" {
				t.Errorf("%s %s, which is open to all: %s", r.Method, r.Path, kinds)
			}
			continue
		}
		alone := m.leaves(t, r, scope)
		for _, other := range account.AllScopes {
			if other == scope {
				continue
			}
			if kinds := m.leaves(t, r, other); kinds != "" {
				t.Errorf("%s %s with %s: %s", r.Method, r.Path, other, kinds)
			}
		}
		all := m.leaves(t, r, account.AllScopes...)
		for _, k := range marks {
			if strings.Contains(alone, k.kind) && k.scope != scope {
				t.Errorf("%s %s with %s: %s", r.Method, r.Path, scope, k.kind)
			}
			seen[k.kind] = seen[k.kind] || strings.Contains(all, k.kind)
		}
		if all != "" {
			table = append(table, fmt.Sprintf("| `%s %s` | `%s` | %s | %s |", r.Method, r.Path, scope,
				cmp.Or(alone, "–"), all))
		}
	}
	for _, k := range marks {
		if !seen[k.kind] {
			t.Errorf("%s are seen nowhere, so the test does not look", k.kind)
		}
	}
	guide, err := os.ReadFile("../../../docs/accounts.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Join(table, "\n"); !strings.Contains(string(guide), "\n"+want+"\n\n") {
		t.Errorf("docs/accounts.md has another table; what leaves is\n%s", want)
	}
}

func TestAnalyticsAloneGivesFigures(t *testing.T) {
	t.Parallel()
	m := newMarked(t)
	c := m.As(t, account.DefaultName, account.Analytics)
	for _, text := range []string{
		"SELECT title FROM media", "SELECT metadata FROM media",
		"SELECT metadata:pet AS x, count(*) FROM media GROUP BY x", "SELECT max(metadata:pet) FROM media",
		"EXPLAIN SELECT externalId FROM media",
	} {
		refused(t, statement(t, c, text), 403, 10006, "media:read")
	}
	refused(t, c.Do(t, http.MethodPost, "/v3/analytics/export", strings.NewReader(`{"table":"words"}`)), 403, 10006,
		"words", "media:read")
	a := ok(t, statement(t, c, `SELECT *, hits() FROM media WHERE categories:"marked" = 1 AND silence(100ms) AND wordCount < 3`)).JSON(t)
	row := a["rows"].([]any)[0].(map[string]any)
	place := a["hits"].([]any)[0].([]any)[0].(map[string]any)["fieldValues"].(map[string]any)
	if _, shown := row["metadata"]; a["totalResults"] != 3.0 || row["wordCount"] != 2.0 || shown ||
		place["text"] != "" || place["speaker"] != "" {
		t.Errorf("%v", a)
	}
	calls := ok(t, c.Do(t, http.MethodPost, "/v3/analytics/export", strings.NewReader(`{"table":"calls"}`)))
	if lines := strings.Split(strings.TrimSpace(string(calls.Body)), "\n"); len(lines) != 4 ||
		!strings.HasPrefix(lines[0], "mediaId,") || !strings.HasSuffix(lines[1], ",,,,") {
		t.Errorf("%s", calls)
	}
	trial := ok(t, c.Do(t, http.MethodPost, categoriesPath+"/marked/test", strings.NewReader("{}"))).JSON(t)
	if trial["matched"] != 3.0 || trial["query"] != "" || len(trial["samples"].([]any)) != 3 {
		t.Errorf("%v", trial)
	}
	both := m.As(t, account.DefaultName, account.Analytics, account.MediaRead)
	ok(t, statement(t, both, "SELECT metadata:pet AS x, count(*) FROM media GROUP BY x"))
}

// onContents are conditions that examine the contents of recordings, in every syntactic form.
var onContents = []string{
	`* SAYS "quok*"`, `* NOT SAYS "quokka"`, `"numbat" SAYS "*"`,
	`* SAYS "hello" FOLLOWED BY WITHIN 30s * SAYS "quokka"`, `* SAYS "hello" NOT FOLLOWED BY * SAYS "quokka"`,
	`* SAYS ("hello" && !"quokka")`, `title = "wombat"`, `title LIKE "w%"`, `description IN ("wombat", "x")`,
	`externalId BETWEEN "w" AND "x"`,
	`metadata:pet >= "w"`, `metadata:pet IS NULL`, `metadata:extended:pet IS NOT NULL`, `NOT metadata:pet = "x"`,
}

// within are conditions that contain another one, in every position, together with a part that selects a single call.
var within = []string{`%s`, `NOT (%s)`, `length > 0 AND (%s)`, `(%s) OR wordCount > 5`,
	`silence(1s) OR NOT (length > 0 AND (%s OR length = 0))`, `mediaId = "x" AND (%s)`}

// figureConditions are conditions that examine only figures.
var figureConditions = []string{
	`*`, `mediaId = "x" OR length > 1 AND wordCount >= 2 AND turnCount < 9`,
	`dateCreated > "2026-01-01" AND dateFinished IS NOT NULL`, `silence(100ms) OR overtalk(1s) [0s, 10s]`,
	`categories:"marked" = 1 AND spotting:"marked" IN (0, 1) AND NOT sentiment > 0.5`,
	`language LIKE "en%" AND mediaContentType = "audio/wav" AND status = "finished"`,
}

// A caller who can choose conditions and see which calls match can reconstruct contents. With only the scope analytics,
// every route must refuse a condition that examines contents, whatever surrounds it and whatever else is requested.
func TestConditionsOnContentsNeedTheScopeToRead(t *testing.T) {
	verify.Long(t)
	t.Parallel()
	m := newMarked(t)
	narrow, both := m.As(t, account.DefaultName, account.Analytics),
		m.As(t, account.DefaultName, account.Analytics, account.MediaRead)
	inJSON := func(path, shape string) func(c *servertest.Client, condition string) servertest.Answer {
		return func(c *servertest.Client, condition string) servertest.Answer {
			return c.Do(t, http.MethodPost, path, strings.NewReader(fmt.Sprintf(shape, strconv.Quote(condition))))
		}
	}
	asStatement := func(form string) func(c *servertest.Client, condition string) servertest.Answer {
		return func(c *servertest.Client, condition string) servertest.Answer {
			return statement(t, c, fmt.Sprintf(form, condition))
		}
	}
	ways := []func(c *servertest.Client, condition string) servertest.Answer{
		asStatement(`%s`), asStatement(`SELECT count(*) FROM media WHERE %s`),
		asStatement(`SELECT length, hits() FROM media WHERE %s ORDER BY length LIMIT 1`),
		asStatement(`EXPLAIN SELECT mediaId FROM media WHERE %s`),
		asStatement(`SELECT length, avg(sentiment) FROM media WHERE %s GROUP BY length`),
		inJSON("/v3/analytics/test", `{"query":%s}`), inJSON(categoriesPath+"/unsaved/test", `{"query":%s}`),
		inJSON("/v3/analytics/export", `{"query":%s}`),
		inJSON(explorePath, `{"where":%s,"limit":1}`), inJSON(explorePath, `{"where":%s,"include":["total"]}`),
		func(c *servertest.Client, condition string) servertest.Answer {
			return c.Get(t, distributionsPath+"?where="+url.QueryEscape(condition))
		},
		inJSON("/v3/analytics/export", `{"table":"metrics","format":"parquet","query":%s}`),
	}
	for i, way := range ways {
		for n, content := range onContents {
			for k, outer := range within {
				condition := fmt.Sprintf(outer, content)
				if a := way(narrow, condition); a.Status != 403 || a.Code(t) != 10006 {
					t.Errorf("way %d of asking for %s: %s", i, condition, a)
				}
				if (i+n+k)%7 == 0 { // a sample of the combinations
					ok(t, way(both, condition))
				}
			}
		}
		for _, condition := range figureConditions {
			if strings.Contains(condition, "categories:") && (i == 6) {
				continue // categories cannot refer to categories
			}
			ok(t, way(narrow, condition))
		}
	}
	refused(t, statement(t, narrow, `SELECT count(*) FROM media MATCH 'quok*'`), 403, 10006, `* SAYS "quok*"`,
		"media:read", "categories:")
	refused(t, statement(t, narrow, `mediaId = "x" AND title LIKE "x%"`), 403, 10006, `title LIKE "x%"`, "media:read")
	for _, text := range []string{
		`SELECT count(title) FROM media`, `SELECT mediaId FROM media ORDER BY title`,
		`SELECT mediaId FROM media ORDER BY metadata:pet DESC`,
		`SELECT language, count(*) FROM media GROUP BY language ORDER BY max(title)`,
		`SELECT count(metadata:pet) AS x FROM media ORDER BY x`,
	} {
		refused(t, statement(t, narrow, text), 403, 10006, "media:read")
		ok(t, statement(t, both, text))
	}
}

// A key that sees which calls match a definition, but not their contents, must not choose what definitions search for.
func TestDefinitionsOverContentsAreNotSavedByThoseWhoSeeFiguresAlone(t *testing.T) {
	t.Parallel()
	m := newMarked(t)
	for _, scopes := range [][]account.Scope{{account.Definitions},
		{account.Definitions, account.Analytics, account.MediaRead}, {account.Definitions, account.Analytics}} {
		c := m.As(t, account.DefaultName, scopes...)
		judge := func(a servertest.Answer, part string) {
			t.Helper()
			if len(scopes) == 2 {
				refused(t, a, 403, 10006, part, "media:read", "analytics")
				return
			}
			ok(t, a)
		}
		put := func(path, body string) servertest.Answer {
			return c.Do(t, http.MethodPut, path, strings.NewReader(body))
		}
		judge(put(categoriesPath+"/mine", `{"query":"length > 0 AND * SAYS \"quok*\""}`), `* SAYS "quok*"`)
		judge(put(categoriesPath+"/marked", `{"query":"title LIKE \"w%\""}`), `title LIKE "w%"`)
		judge(put(groups+"/mine", `{"keywords":["quokka"]}`), "keyword group")
		judge(c.Do(t, http.MethodPost, classifiers, strings.NewReader(trainingSet("mine"))), "classifier")
		ok(t, put(categoriesPath+"/long", `{"query":"length > 1000"}`))
		ok(t, put(vocabularies+"/mine", `{"terms":[{"term":"quokka"}]}`))
	}
	m.Idle(t)
	// Nor may a key that can apply a category learn how often it matches.
	c := m.As(t, account.DefaultName, account.Definitions, account.MediaWrite)
	for _, method := range []string{http.MethodPost, http.MethodGet} {
		a := ok(t, c.Do(t, method, categoriesPath+"/mine/apply", nil)).JSON(t)
		if _, shown := a["matched"]; shown {
			t.Errorf("%s: %v", method, a)
		}
		m.Idle(t)
	}
	reader := m.As(t, account.DefaultName, account.Definitions, account.Analytics)
	if a := ok(t, reader.Get(t, categoriesPath+"/mine/apply")).JSON(t); a["matched"] != 3.0 {
		t.Errorf("%v", a)
	}
}

func TestReceiversOfCallbacksAreShownToThoseWhoRead(t *testing.T) {
	t.Parallel()
	m := newMarked(t)
	for _, c := range []struct {
		scopes []account.Scope
		want   string
	}{
		{[]account.Scope{account.MediaWrite}, "https://example.com"},
		{[]account.Scope{account.MediaWrite, account.MediaRead}, "https://example.com/potto"},
	} {
		a := ok(t, m.As(t, account.DefaultName, c.scopes...).Do(t, http.MethodPost,
			"/v3/media/"+m.item+"/callbacks/"+m.deliver(t)+"/retry", nil)).JSON(t)
		if a["endpoint"] != c.want {
			t.Errorf("with %v: %v", c.scopes, a)
		}
	}
}

func TestReprocessingWithCallbacksNeedsTheScopeToRead(t *testing.T) {
	t.Parallel()
	m := newMarked(t)
	asking := configured(`{"publish":{"callbacks":[{"url":"https://example.com/"}]}}`)
	writer, both := m.As(t, account.DefaultName, account.MediaWrite),
		m.As(t, account.DefaultName, account.MediaWrite, account.MediaRead)
	refused(t, reprocess(t, writer, m.other, asking), 403, 10006, "callbacks", "media:read")
	answer := ok(t, reprocess(t, writer, m.other, configured(`{}`)))
	if strings.Contains(string(answer.Body), "wombat") {
		t.Errorf("metadata of another's recording: %s", answer)
	}
	m.Await(t, m.other)
	ok(t, reprocess(t, both, m.other, asking))
	ok(t, writer.Post(t, recording, asking)) // its own
}
