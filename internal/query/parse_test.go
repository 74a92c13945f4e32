package query

import (
	"errors"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

func TestWhatIsPrintedIsParsedAsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := &drawer{pick: func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "") }, wide: true}
		s := d.statement()
		text := s.String()
		again, err := Parse(text, nil)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if !reflect.DeepEqual(s, again) {
			t.Fatalf("%s\nis parsed as\n%s\n%#v", text, again, again)
		}
	})
}

func TestAbbreviationsAreWrittenOut(t *testing.T) {
	for text, want := range map[string]string{
		`* SAYS "x"`:                                                                       `SELECT * FROM media WHERE * SAYS "x"`,
		`select * from Media match 'hello';`:                                               `SELECT * FROM media WHERE * SAYS "hello"`,
		`"agent" says ("thank you" && 'survey')`:                                           `SELECT * FROM media WHERE "agent" SAYS "thank you" && "survey"`,
		`WHERE agent SAYS "Thank  YOU!" AND “survey”`:                                      `SELECT * FROM media WHERE "agent" SAYS "thank you" AND "agent" SAYS "survey"`,
		`agent SAYS "a" AND ("b" OR !"c") OR * SAYS "d" AND ("e" && "f")`:                  `SELECT * FROM media WHERE "agent" SAYS "a" AND ("agent" SAYS "b" OR "agent" SAYS !"c") OR * SAYS "d" AND * SAYS "e" && "f"`,
		`agent SAYS "a" AND ("b" || "c")/2 AND (("d") && "e")`:                             `SELECT * FROM media WHERE "agent" SAYS "a" AND "agent" SAYS ("b" || "c")/2 AND "agent" SAYS "d" && "e"`,
		`agent NOT SAYS "a"`:                                                               `SELECT * FROM media WHERE NOT "agent" SAYS "a"`,
		`agent SAYS "a" SLOP 3 [-1.5min, 50%] [,10sec]`:                                    `SELECT * FROM media WHERE "agent" SAYS "a"/3[-90s, 50%][, 10s]`,
		`agent SAYS ("a" OR "b" AND NOT "c") && !"d"`:                                      `SELECT * FROM media WHERE "agent" SAYS ("a" OR "b" AND NOT "c") && !"d"`,
		`WORDCOUNT <> 3 and Sentiment<0`:                                                   `SELECT * FROM media WHERE wordCount != 3 AND metrics:call-sentiment < 0`,
		`metadata.Order.by is not null`:                                                    `SELECT * FROM media WHERE metadata:Order:by IS NOT NULL`,
		`metadata:"a b" not in (1, -2.50, 'x', true)`:                                      `SELECT * FROM media WHERE metadata:"a b" NOT IN (1, -2.5, "x", TRUE)`,
		`length between 1 and 2 and title like 'a%'`:                                       `SELECT * FROM media WHERE length BETWEEN 1 AND 2 AND title LIKE "a%"`,
		`* order by dateCreated asc limit 5 -- all` + "\n/* of\nit */":                     `SELECT * FROM media WHERE * ORDER BY dateCreated LIMIT 5`,
		`agent SAYS "a" FOLLOWED BY WITHIN 30s caller SAYS "b" NOT FOLLOWED BY * SAYS "c"`: `SELECT * FROM media WHERE "agent" SAYS "a" FOLLOWED BY WITHIN 30s "caller" SAYS "b" NOT FOLLOWED BY * SAYS "c"`,
		`silence(10s)[0,-500ms] OR NOT overtalk( 3% )`:                                     `SELECT * FROM media WHERE silence(10s)[0s, -500ms] OR NOT overtalk(3%)`,
		`explain select date_trunc('day', dateCreated) as d, count(*) n from media`:        "",
		`EXPLAIN SELECT date_trunc('day', dateCreated) AS d, COUNT(*) FROM media GROUP BY d ORDER BY count(*) DESC, d`: `EXPLAIN SELECT date_trunc("day", dateCreated) AS d, count(*) FROM media GROUP BY d ORDER BY count(*) DESC, d`,
		`ALTER TABLE media DEFINE metadata:datasetID VARCHAR(64), metadata:score integer`:                              `ALTER TABLE media DEFINE metadata:datasetID varchar(64), metadata:score integer`,
	} {
		s, err := Parse(text, nil)
		if want == "" {
			if err == nil {
				t.Errorf("%s: %s", text, s)
			}
			continue
		}
		if err != nil || s.String() != want {
			t.Errorf("%s: %v (%v)\nwant %s", text, s, err, want)
		}
	}
}

func TestMistakesAreToldWithPlaceExpectationAndNearestName(t *testing.T) {
	known := &Known{Metrics: []string{"agent-average-streak", "call-sentiment"}, Definition: true}
	deep := strings.Repeat("(", MaxDepth+1)
	for text, want := range map[string]string{
		"":                                "line 1, column 1: found the end, expected a condition or SELECT\n  \n  ^",
		`"agent" SAY "hello"`:             "line 1, column 9: found `SAY`, expected SAYS, a comparison, AND or OR; did you mean SAYS?\n  \"agent\" SAY \"hello\"\n          ^",
		`"hello"`:                         "line 1, column 1: it is not said who says this",
		`agent SAYS`:                      "line 1, column 11: found the end, expected a phrase in quotes, ( or !",
		`agent SAYS "a" &&`:               "column 18: found the end, expected a phrase",
		`agent SAYS "a`:                   "column 12: the quote is not closed",
		`agent SAYS "!"`:                  "column 12: the phrase `!`: there is no word in it",
		`agent SAYS "a*b"`:                "column 12: the phrase `a*b`: a * stands at the end",
		`agent SAYS "a"/x`:                "column 16: found `x`, expected a whole number",
		`agent SAYS "a"/101`:              "column 16: a slop is a whole number from 0 to 100",
		`agent SAYS "a"/1/2`:              "column 17: there is a slop already",
		`agent SAYS "a"[0 10]`:            "column 18: found `10`, expected ,",
		`agent SAYS "a"[0,10h]`:           "column 18: `h` is no unit of time; write ms, s, min or %",
		`agent SAYS "a" AND`:              "column 19: found the end, expected a condition",
		`(agent SAYS "a"`:                 "column 16: found the end, expected )",
		`agent SAYS "a")`:                 "column 15: this parenthesis closes none",
		`agent SAYS ("a" AND)`:            "column 20: found `)`, expected a phrase",
		`wordCuont > 3`:                   "column 1: unknown field `wordCuont`; did you mean wordCount?",
		`wordCount > "many"`:              "column 13: wordCount is a number; compare it with one",
		`dateCreated > "yesterday"`:       "column 15: dateCreated is a time; write it as \"2026-07-30\"",
		`wordCount LIKE "1%"`:             "column 16: wordCount is no text",
		`metadata = 1`:                    "column 1: metadata is compared by its keys",
		`metadata:x < true`:               "column 14: true and false have no order",
		`metadata:x = y`:                  "column 14: found `y`, expected a value; texts stand in quotes",
		`metadata:x ~ 1`:                  "column 12: `~` means nothing here",
		`length > 5min`:                   "column 10: `min` stands behind a number",
		`metrics:"agent-averge-streak">0`: "column 9: there is no `agent-averge-streak` in metrics; did you mean agent-average-streak?",
		`metrics > 0`:                     "column 1: metrics needs one name",
		`categories:"x" = 1`:              "column 1: the definition of a category cannot ask for categories",
		`"agent" NOT SAYS "a" FOLLOWED BY * SAYS "b"`: "column 1: FOLLOWED BY needs words that are said",
		`agent SAYS "a" FOLLOWED BY * SAYS !"b"`:      "column 28: FOLLOWED BY needs words that are said",
		`agent SAYS "a" FOLLOWED BY "b"`:              "column 28: found `\"b\"`, expected who says it, and SAYS",
		`silence(-3s)`:                                "column 9: a length of time is not negative",
		`"" SAYS "a"`:                                 "column 1: the name of the speaker is empty",
		`SELECT * FROM calls`:                         "column 15: there is no table `calls`",
		`SELECT countt(*) FROM media`:                 "column 8: unknown function `countt`; did you mean count?",
		`SELECT sum(*) FROM media`:                    "column 8: sum is written sum(field)",
		`SELECT title, count(*) FROM media`:           "column 8: title is not the same in a whole group",
		`SELECT title AS a, length AS a FROM media`:   "column 20: there is a column `a` already",
		`SELECT * FROM media WHERE * LIMIT 5 LIMIT 6`: "column 37: LIMIT is there twice",
		`ALTER TABLE media DEFINE title varchar`:      "column 26: only fields of metadata are defined",
		`ALTER TABLE media DEFINE metadata:a intger`:  "column 37: unknown type `intger`, expected varchar, integer, double, boolean, timestamp; did you mean integer?",
		`* AND /* x`: "column 7: the comment is not closed",
		deep:         "column 51: more than 50 parentheses",
		`SELECT ` + strings.Repeat(`title,`, MaxList) + `title FROM media`: "column 1208: more than 200 things stand in a list",
		strings.Repeat("é", MaxLength+1):                                   "line 1, column 10001: the text is longer than 10000",
		`* SAYS ` + strings.Repeat(`"a"||`, MaxTerms) + `"a"`:              "more than 500 phrases",
		`* SAYS "` + strings.Repeat(`a `, MaxWords+1) + `"`:                "the phrase has 51 words, at most 50",
		"agent SAYS \"a\"\n\tAND wordCount >\n\t\tOR title = \"x\"":        "line 3, column 3: found `OR`, expected a value\n    OR title = \"x\"\n    ^",
	} {
		_, err := Parse(text, known)
		var told *Error
		if !errors.As(err, &told) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q:\n%v\nwant\n%s", text, err, want)
		} else if len(told.Mistakes) != 1 {
			t.Errorf("%.60q: %d mistakes:\n%v", text, len(told.Mistakes), err)
		}
	}
}

func TestAllMistakesAreToldAtOnce(t *testing.T) {
	_, err := Parse("agent SAYS (\"a*b\" AND 7 AND \"c\" /x)\nAND wordCuont > 3 AND (length > ) OR title LIKE 7 ORDER BY lenght", nil)
	var told *Error
	if !errors.As(err, &told) {
		t.Fatal(err)
	}
	var places [][2]int
	for _, m := range told.Mistakes {
		places = append(places, [2]int{m.Line, m.Column})
	}
	if want := [][2]int{{1, 13}, {1, 23}, {1, 34}, {2, 5}, {2, 33}, {2, 49}, {2, 60}}; !reflect.DeepEqual(places, want) {
		t.Errorf("%v, want %v:\n%v", places, want, err)
	}
}

func TestPublicExamplesAreUnderstood(t *testing.T) {
	for _, text := range []string{
		`SELECT mediaId, hits() FROM media WHERE "Agent" SAYS "may be recorded"/1 AND wordCount > 3000 ORDER BY dateCreated DESC LIMIT 50`,
		`SELECT * FROM media MATCH 'hello'`,
		`WHERE "agent" SAYS ("thank you" && "survey")`,
		`WHERE "agent" SAYS "thank you" AND "survey"`,
		`SELECT *, HITS() FROM media WHERE interactionType="speech"`,
		`SELECT * FROM media WHERE metrics:"agent-average-streak" > 0`,
		`ALTER TABLE media DEFINE metadata:datasetID varchar, metadata:score integer`,
	} {
		if _, err := Parse(text, &Known{Metrics: []string{"agent-average-streak"}}); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestACategoryNeedsACondition(t *testing.T) {
	for _, text := range []string{"SELECT * FROM media", "ALTER TABLE media DEFINE metadata:a varchar"} {
		if c, err := ParseCondition(text, nil); err == nil || !strings.Contains(err.Error(), "expected a condition") {
			t.Errorf("%s: %v, %v", text, c, err)
		}
	}
	if c, err := ParseCondition(`SELECT title FROM media WHERE * LIMIT 3`, nil); err != nil || c != (Everything{}) {
		t.Error(c, err)
	}
}

func TestMisspeltStatementsAreToldSo(t *testing.T) {
	for text, want := range map[string]string{
		"SELEC x FROM media": "did you mean SELECT?", "selct * from media": "did you mean SELECT?", "EXPLIAN *": "did you mean EXPLAIN?",
		"WHER agent SAYS 'x'": "did you mean WHERE?", "ALTR TABLE media DEFINE metadata:a varchar": "did you mean ALTER?",
	} {
		if _, err := Parse(text, nil); err == nil || !strings.Contains(err.Error(), "line 1, column 1") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{`selec SAYS "x"`, `NOT selct SAYS "x"`} {
		if _, err := Parse(text, nil); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// busy is how much processor time a function takes: other work on the machine does not count.
func busy(t *testing.T, do func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	used := func() time.Duration {
		var u unix.Rusage
		if err := unix.Getrusage(unix.RUSAGE_THREAD, &u); err != nil {
			t.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	before := used()
	do()
	return used() - before
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		`SELECT mediaId, hits() FROM media WHERE "Agent" SAYS "may be recorded"/1 AND wordCount > 3000 ORDER BY dateCreated DESC LIMIT 50`,
		`agent SAYS ("a" AND NOT ("b" || !"c*")/2)[-10s,50%] FOLLOWED BY WITHIN 3min * SAYS 'd' AND "e"`,
		`SELECT date_trunc('week', metadata:x.y) AS "w k", percentile(length, 50) FROM media GROUP BY "w k"`,
		`ALTER TABLE media DEFINE metadata:"a\"b" varchar(3)`, `silence(3s)[,1] OR “x” NOT IN (1,'y',-2) -- z`, `((((!`, `* NOT SAYS ("a")&&(`, "NOT NOT *;",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var s *Statement
		var err error
		took := busy(t, func() { s, err = Parse(text, &Known{Metrics: []string{"call-sentiment", "agent-talk-ratio"}}) })
		if took > time.Second {
			t.Fatalf("%d bytes take %v of processor time", len(text), took)
		}
		var told *Error
		if err != nil {
			if !errors.As(err, &told) || len(told.Mistakes) == 0 || len(err.Error()) > 20*1000 {
				t.Fatalf("%d bytes: %v", len(text), err)
			}
			return
		}
		printed := s.String()
		if len([]rune(printed)) > MaxLength {
			return
		}
		again, err := Parse(printed, nil)
		if err != nil || !reflect.DeepEqual(again, s) {
			t.Fatalf("%q is printed as %q, which is %v (%v)", text, printed, again, err)
		}
		if s.Select != nil && s.Select.Where != nil {
			c := Of((&drawer{pick: func(n int) int { return n / 2 }}).call(), nil)
			Compile(s.Select.Where).Find(c)
		}
	})
}
