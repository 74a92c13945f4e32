package stage

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"parley/internal/analysis/category"
	"parley/internal/analysis/entity"
	"parley/internal/analysis/knowledge"
	"parley/internal/analysis/sentiment"
	"parley/internal/analysis/spot"
	"parley/internal/analysis/verbnoun"
	"parley/internal/call/codec"
	"parley/internal/call/delivery"
	"parley/internal/call/result"
	"parley/internal/storage/store"
	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
)

// Trap is the function that hostile texts call, if they run.
const Trap = "parleyTrap"

// hostile texts try to run the trap, or to break what shows them. %d is their number.
var hostile = []string{
	`<script>parleyTrap(%d)</script>`,
	`"><script>parleyTrap(%d)</script>`,
	`</title></textarea></style></script><script>parleyTrap(%d)</script>`,
	`<img src=x onerror=parleyTrap(%d)>`,
	`<svg/onload=parleyTrap(%d)>`,
	`<svg><animate onbegin=parleyTrap(%d) attributeName=x dur=1s>`,
	`<math><mtext></mtext><mglyph><style><img src=x onerror=parleyTrap(%d)>`,
	`<noscript><p title="</noscript><img src=x onerror=parleyTrap(%d)>">`,
	`<iframe srcdoc="<script>parent.parleyTrap(%d)</script>"></iframe>`,
	`<details open ontoggle=parleyTrap(%d)><summary>x`,
	`<a href="javascript:parleyTrap(%d)">open</a>`,
	`javascript:parleyTrap(%d)//`,
	`java&#x0A;script:parleyTrap(%d)`,
	`data:text/html,<script>parleyTrap(%d)</script>`,
	`" autofocus onfocus="parleyTrap(%d)" x="`,
	`' onmouseover='parleyTrap(%d)' x='`,
	"`;parleyTrap(%d);`",
	`${parleyTrap(%d)}`,
	`{{constructor.constructor('parleyTrap(%d)')()}}`,
	`<%%= parleyTrap(%d) %%>`,
	`#{parleyTrap(%d)}`,
	`*/;parleyTrap(%d);/*`,
	`\u003cscript\u003eparleyTrap(%d)\u003c/script\u003e`,
	`&lt;script&gt;parleyTrap(%d)&lt;/script&gt;`,
	`<style>*{display:none!important}</style>%d`,
	`};*{position:fixed;inset:0;width:9999px}@import "http://127.0.0.1:9/%d.css";`,
	`<link rel=stylesheet href=http://127.0.0.1:9/%d.css>`,
	`<base href="http://127.0.0.1:9/%d/">`,
	`<meta http-equiv=refresh content="0;url=http://127.0.0.1:9/%d">`,
	`<form action=http://127.0.0.1:9/%d><button>Sign in`,
	"\u202eevil %d\u202c gnp.exe",
	"\u2066\u2067left %d right\u2069",
	"zero\u200bwidth\u200c\u200d\ufeff %d \u2060\u180e",
	"%d \u0000null\u0007bell\u001b[31m",
	"null undefined NaN %d true [object Object] -0 1e999",
	"👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿 %d 🇺🇦👍🏿",
	"%d Z̸̡̧̛̛̖̗̘̙̜̝̞̟̠̣̤̥̦̩̪̫̬̭̮̯̰̱̲̳̹̺̻̼͇͈͉͍͎̀́̂̃̄̅̆̇̈̉̊̋̌̍̎̏̐̑̒̓̔̽̾̿̀́͂̓̈́͆͊͋͌ algo",
	"עברית %d عربي 中文 ไทย हिन्दी",
	"../../../../etc/passwd?%d&x=1#y%%00",
	`'; DROP TABLE media; -- %d`,
	"=HYPERLINK(\"http://127.0.0.1:9/%d\")",
	"%d\r\nSet-Cookie: parley=x\r\n\r\n<script>parleyTrap(1)</script>",
	"%%s%%n%%d%%x %d %%%%",
	"__proto__ constructor toString %d",
}

// HostileText returns hostile text n: one of many kinds, or several of them, or one that is very long and has no space.
func HostileText(n int) string {
	r := rand.New(rand.NewPCG(13, uint64(n)))
	one := func() string { return fmt.Sprintf(hostile[r.IntN(len(hostile))], n) }
	var text string
	switch r.IntN(12) {
	case 0:
		text = strings.Repeat("W", 10_000) + fmt.Sprint(n)
	case 1:
		text = one() + one() + one()
	case 2:
		text = strings.ToUpper(one())
	case 3:
		text = strings.ReplaceAll(one(), " ", "\u00a0")
	case 4:
		text = "a" + strings.Repeat("\u0301", 200+r.IntN(800)) + fmt.Sprint(n)
	case 5:
		text = strings.Repeat("\u202e", 50) + one()
	default:
		text = one()
	}
	return strings.ReplaceAll(text, "\x00", "\ufffd") // databases keep no zeros
}

// Hostile starts a server with n calls whose texts are all hostile: titles, descriptions, ids, metadata, speakers, words,
// categories, definitions, answers of receivers. The newest one, whose id it returns, has a transcript of n words.
func Hostile(t *testing.T, n int) (s *servertest.Server, newest string) {
	t.Helper()
	s = servertest.Start(t, servertest.Options{Engines: Engines(), Settings: Settings})
	c, err := codec.New()
	if err != nil {
		t.Fatal(err)
	}
	var owner account.ID
	if err := s.Server.Store.View(t.Context(), func(tx *store.Tx) error {
		a, err := tx.AccountByName(account.DefaultName)
		owner = a.ID
		return err
	}); err != nil {
		t.Fatal(err)
	}
	begin := time.Now().Add(-time.Hour)
	for first := 0; first < n; first += 500 {
		if err := s.Server.Store.Update(t.Context(), func(tx *store.Tx) error {
			for i := first; i < min(first+500, n); i++ {
				words := 8
				if i == n-1 {
					words = n
				}
				id, err := bad(tx, c, owner, i, words, begin.Add(time.Duration(i)*100*time.Millisecond))
				if err != nil {
					return err
				}
				newest = string(id)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	hostileDefinitions(t, s)
	s.Idle(t) // questions are refused while most calls wait for the index
	return s, newest
}

// bad writes hostile call n.
func bad(tx *store.Tx, c *codec.Codec, owner account.ID, n, words int, at time.Time) (media.ID, error) {
	text := func(k int) string { return HostileText(n*7 + k) }
	metadata, err := media.ParseMetadata(mustJSON(object{"title": text(0), "description": text(1),
		"externalId":  fmt.Sprint(n, clip(text(2), 100)),
		"extended":    object{"team": text(3), clip(text(4), 60): text(5), "outcome": text(6)},
		"callDetails": object{"agent": object{"fullName": text(1)}, "caller": object{"fullName": text(2)}}}))
	if err != nil {
		return "", err
	}
	t := &transcript.Transcript{Language: "en-US", Speakers: []transcript.Speaker{
		{Name: clip(text(1), 400), Role: transcript.Agent}, {Name: clip(text(2), 400), Role: transcript.Caller, Channel: 1}}}
	for i := range words {
		start := time.Duration(i) * 500 * time.Millisecond
		t.Words = append(t.Words, transcript.Word{Text: text(i), Start: start, End: start + 400*time.Millisecond,
			Confidence: .5, Speaker: i / 4 % 2})
	}
	t.Length = time.Duration(words) * 500 * time.Millisecond
	r := rand.New(rand.NewPCG(17, uint64(n)))
	m, err := tx.InsertMedia(media.Media{ID: newID(at, r), Account: owner, Status: media.Finished, Metadata: metadata,
		Length: t.Length, Finished: at.Add(time.Second)}, nil, nil)
	if err != nil {
		return "", err
	}
	if words > 100 {
		if err := badDeliveries(tx, &m, n); err != nil {
			return "", err
		}
	}
	return m.ID, publish(tx, &m, store.Result{Version: 1, Result: c.EncodeResult(&result.Open{Transcript: t,
		Findings: hostileFindings(text)})})
}

// hostileFindings are findings whose texts are all hostile.
func hostileFindings(text func(int) string) (f result.Findings) {
	word := func(k int) transcript.Keyword {
		return transcript.Keyword{Text: text(k), Relevance: .5, Mentions: []transcript.Mention{{Occurrences: []transcript.Occurrence{
			{Start: time.Second, End: 2 * time.Second, Exact: text(k + 1)}}}}}
	}
	f.Knowledge = &knowledge.Result{Keywords: []transcript.Keyword{word(0), word(1)},
		Topics: []knowledge.Topic{{Name: text(2), Relevance: .5, Keywords: []transcript.Keyword{word(3)}}}}
	f.Entities = []entity.Entity{{Type: entity.Person, Text: text(0), End: time.Second},
		{Type: "money", Text: text(1), Formatted: text(2), Start: time.Second, End: 2 * time.Second}}
	f.Sentiments = []sentiment.Sentence{{End: time.Second, Score: -.5}}
	f.Categories = []category.Result{{Name: text(4), Matched: true, Hits: []category.Hit{{End: time.Second, Exact: text(5)}}},
		{Name: text(5)}}
	f.Spotting = []spot.Result{{Name: text(6), Score: .5, Keywords: []transcript.Keyword{word(2)}}}
	f.Pairs = []verbnoun.Pair{}
	return f
}

// badDeliveries writes deliveries of an item to hostile addresses, with hostile answers.
func badDeliveries(tx *store.Tx, m *media.Media, n int) error {
	for k := range 20 {
		text := HostileText(n*11 + k)
		d := delivery.New(m, k, delivery.Callback{URL: "https://receiver.example/" + url.PathEscape(clip(text, 200)),
			Method: "POST", Type: delivery.Analytics}, time.Now())
		d.State, d.Next, d.Done = delivery.Failed, time.Time{}, time.Now()
		if err := tx.AddDelivery(d); err != nil {
			return err
		}
		if err := tx.AddTry(d, delivery.Try{At: time.Now(), Took: time.Second, Status: 502, Answer: []byte(clip(text, 1000))}); err != nil {
			return err
		}
	}
	return nil
}

// hostileDefinitions saves what may hold any text in definitions.
func hostileDefinitions(t *testing.T, s *servertest.Server) {
	t.Helper()
	for n := range 30 {
		text := HostileText(900_000 + n)
		name := strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) || unicode.IsControl(r) || r == '/' {
				return -1
			}
			return r
		}, clip(text, 60))
		for path, value := range map[string]object{
			"/v3/definition/categories/": {"query": `* SAYS "x"`, "categoryDescription": clip(text, 4000), "notes": clip(text, 4000)},
			"/v3/analytics/queries/":     {"query": `SELECT * FROM media WHERE title = "` + strconv.Itoa(n) + `"`, "queryDescription": clip(text, 1000)},
		} {
			s.Do(t, http.MethodPut, path+url.PathEscape(name), bytes.NewReader(mustJSON(value)))
		}
		s.Do(t, http.MethodPost, "/v3/profile/keys", bytes.NewReader(mustJSON(object{"description": clip(text, 900)})))
	}
}

func mustJSON(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // texts
	}
	return text
}

// clip shortens a text to a number of bytes.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}
