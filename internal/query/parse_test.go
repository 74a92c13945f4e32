package query

import (
	"errors"
	"reflect"
	"runtime"
	"slices"
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
		`* SAYS "x"`:                                                      `SELECT * FROM media WHERE * SAYS "x"`,
		`select * from Media match 'hello';`:                              `SELECT * FROM media WHERE * SAYS "hello"`,
		`"agent" says ("thank you" && 'survey')`:                          `SELECT * FROM media WHERE "agent" SAYS "thank you" && "survey"`,
		`WHERE agent SAYS "Thank  YOU!" AND “survey”`:                     `SELECT * FROM media WHERE "agent" SAYS "thank you" AND "agent" SAYS "survey"`,
		`agent SAYS "a" AND ("b" OR !"c") OR * SAYS "d" AND ("e" && "f")`: `SELECT * FROM media WHERE "agent" SAYS "a" AND ("agent" SAYS "b" OR "agent" SAYS !"c") OR * SAYS "d" AND * SAYS "e" && "f"`,
		`agent SAYS "a" AND ("b" || "c")/2 AND (("d") && "e")`:            `SELECT * FROM media WHERE "agent" SAYS "a" AND "agent" SAYS ("b" || "c")/2 AND "agent" SAYS "d" && "e"`,
		`agent NOT SAYS "a"`:                                              `SELECT * FROM media WHERE NOT "agent" SAYS "a"`,
		`agent SAYS "a" SLOP 3 [-1.5min, 50%] [,10sec]`:                   `SELECT * FROM media WHERE "agent" SAYS "a"/3[-90s, 50%][, 10s]`,
		`agent SAYS ("a" OR "b" AND NOT "c") && !"d"`:                     `SELECT * FROM media WHERE "agent" SAYS ("a" OR "b" AND NOT "c") && !"d"`,
		`WORDCOUNT <> 3 and Sentiment<0`:                                  `SELECT * FROM media WHERE wordCount != 3 AND metrics:call-sentiment < 0`,
		`metadata.Order.by is not null`:                                   `SELECT * FROM media WHERE metadata:Order:by IS NOT NULL`,
		`metadata:"a b" not in (1, -2.50, 'x', true)`:                     `SELECT * FROM media WHERE metadata:"a b" NOT IN (1, -2.5, "x", TRUE)`,
		`length between 1 and 2 and title like 'a%'`:                      `SELECT * FROM media WHERE length BETWEEN 1 AND 2 AND title LIKE "a%"`,
		`* order by dateCreated asc limit 5 -- all` +
			"\n/* of\nit */": `SELECT * FROM media WHERE * ORDER BY dateCreated LIMIT 5`,
		`agent SAYS "a" FOLLOWED BY WITHIN 30s caller SAYS "b" NOT FOLLOWED BY * SAYS "c"`:                             `SELECT * FROM media WHERE "agent" SAYS "a" FOLLOWED BY WITHIN 30s "caller" SAYS "b" NOT FOLLOWED BY * SAYS "c"`,
		`agent SAYS "a"[ - 2 min , 50 % ] FOLLOWED BY WITHIN 3 s s SAYS "b" FOLLOWED BY WITHIN 3 s SAYS "c"`:           `SELECT * FROM media WHERE "agent" SAYS "a"[-120s, 50%] FOLLOWED BY WITHIN 3s "s" SAYS "b" FOLLOWED BY WITHIN 3s "s" SAYS "c"`,
		`silence(10s)[0,-500ms] OR NOT overtalk( 3% )`:                                                                 `SELECT * FROM media WHERE silence(10s)[0s, -500ms] OR NOT overtalk(3%)`,
		`explain select date_trunc('day', dateCreated) as d, count(*) n from media`:                                    "",
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
	known := &KnownNames{Metrics: []string{"agent-average-streak", "call-sentiment"}, Definition: true}
	deep := strings.Repeat("(", MaxDepth+1)
	for text, want := range map[string]string{
		"": "line 1, column 1: found the end, expected a condition or SELECT\n  \n  ^",
		`"agent" SAY "hello"`: "line 1, column 9: found `SAY`, expected SAYS, a comparison, AND or OR; " +
			"did you mean SAYS?\n  \"agent\" SAY \"hello\"\n          ^",
		`"hello"`:                   "line 1, column 1: the speaker is missing",
		`agent SAYS`:                "line 1, column 11: found the end, expected a phrase in quotes, ( or !",
		`agent SAYS "a" &&`:         "column 18: found the end, expected a phrase",
		`agent SAYS "a`:             "column 12: the quote is not closed",
		`agent SAYS "!"`:            "column 12: the phrase `!`: it contains no word",
		`agent SAYS "a*b"`:          "column 12: the phrase `a*b`: a * is allowed only at the end",
		`agent SAYS "a"/x`:          "column 16: found `x`, expected a whole number",
		`agent SAYS "a"/101`:        "column 16: a slop must be a whole number from 0 to 100",
		`agent SAYS "a"/1/2`:        "column 17: the slop is given twice",
		`agent SAYS "a"[0 10]`:      "column 18: found `10`, expected ,",
		`agent SAYS "a"[0,10h]`:     "column 18: `h` is not a unit of time; write ms, s, min or %",
		`agent SAYS "a" AND`:        "column 19: found the end, expected a condition",
		`(agent SAYS "a"`:           "column 16: found the end, expected )",
		`agent SAYS "a")`:           "column 15: this closing parenthesis has no opening one",
		`agent SAYS ("a" AND)`:      "column 20: found `)`, expected a phrase",
		`wordCuont > 3`:             "column 1: unknown field `wordCuont`; did you mean wordCount?",
		`wordCount > "many"`:        "column 13: wordCount is a number; compare it with a number",
		`dateCreated > "yesterday"`: "column 15: dateCreated is a time; write the value as \"2026-07-30\"",
		`wordCount LIKE "1%"`:       "column 16: wordCount is not a text",
		`metadata = 1`:              "column 1: metadata needs a key",
		`metadata:x < true`:         "column 14: true and false have no order",
		`metadata:x = y`:            "column 14: found `y`, expected a value; texts must be quoted",
		`metadata:x ~ 1`:            "column 12: unexpected character `~`",
		`length > 5min`:             "column 10: unexpected unit `min`",
		`metrics:"agent-averge-streak">0`: "column 9: `agent-averge-streak` was not found in metrics; did you mean " +
			"agent-average-streak?",
		`metrics > 0`:        "column 1: metrics needs one name",
		`categories:"x" = 1`: "column 1: the definition of a category cannot refer to categories",
		`"agent" NOT SAYS "a" FOLLOWED BY * SAYS "b"`: "column 1: FOLLOWED BY needs words " +
			"that are said",
		`agent SAYS "a" FOLLOWED BY * SAYS !"b"`: "column 28: FOLLOWED BY needs words " +
			"that are said",
		`agent SAYS "a" FOLLOWED BY "b"`: "column 28: found `\"b\"`, expected " +
			"a speaker and SAYS",
		`* SAYS "a"` + strings.Repeat(` FOLLOWED BY * SAYS "a"`, MaxSteps+1): "column 1174: more than 50 consecutive FOLLOWED BY",
		`silence(-3s)`:                                           "column 9: a duration cannot be negative",
		`"" SAYS "a"`:                                            "column 1: the name of the speaker is empty",
		`SELECT * FROM calls`:                                    "column 15: unknown table `calls`",
		`SELECT countt(*) FROM media`:                            "column 8: unknown function `countt`; did you mean count?",
		`SELECT sum(*) FROM media`:                               "column 8: invalid arguments of sum; write sum(field)",
		`SELECT title, count(*) FROM media`:                      "column 8: title has no single value for a group",
		`SELECT title AS a, length AS a FROM media`:              "column 20: duplicate column name `a`",
		`SELECT * FROM media WHERE * LIMIT 5 LIMIT 6`:            "column 37: LIMIT is given twice",
		`SELECT count(metadata) FROM media`:                      "column 14: metadata needs a key",
		`SELECT metadata, count(*) FROM media GROUP BY metadata`: "column 47: metadata needs a key",
		`* ORDER BY metadata`:                                    "column 12: metadata needs a key",
		`* ORDER BY count(*)`:                                    "column 12: cannot order by the aggregate count(*)",
		`SELECT hits() AS h FROM media ORDER BY h`:               "column 40: cannot order by hits()",
		`SELECT title, count(*) FROM media GROUP BY title ORDER BY max(length), length`: "column 72: cannot " +
			"order by length",
		`ALTER TABLE media DEFINE metadata:a varchar, metadata:a integer`: "column 46: metadata:a is defined twice",
		`ALTER TABLE media DEFINE title varchar`: "column 26: only metadata fields can be " +
			"defined",
		`ALTER TABLE media DEFINE metadata:a intger`: "column 37: unknown type `intger`, expected varchar, integer, " +
			"double, boolean or timestamp; did you mean integer?",
		`* AND /* x`: "column 7: the comment is not closed",
		deep:         "column 51: more than 50 nested parentheses",
		`SELECT ` + strings.Repeat(`title,`, MaxList) +
			`title FROM media`: "column 1208: the list has more than 200 elements",
		strings.Repeat("é", MaxLength+
			1): "line 1, column 10001: the text is longer than 10000",
		`* SAYS ` + strings.Repeat(`"a"||`, MaxTerms) + `"a"`: "more than 500 phrases",
		`* SAYS "` + strings.Repeat(`a `, MaxWords+1) + `"`:   "the phrase has 51 words, at most 50",
		"agent SAYS \"a\"\n\tAND wordCount >\n\t\tOR title = \"x\"": "line 3, column 3: found `OR`, expected a " +
			"value\n    OR title = \"x\"\n    ^",
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

func TestMistakesAreToldWithWhatToWriteInstead(t *testing.T) {
	for text, want := range map[string]string{
		`agent contains "x"`: "column 7: found `contains`, expected SAYS, a comparison, " +
			"AND or OR; write SAYS for spoken words",
		`length == 3`: "column 9: found `=`, expected a value; write a single =",
		`length > 3 && wordCount > 2`: "column 12: found `&&`, expected AND, OR, ORDER BY, LIMIT, " +
			"OFFSET or the end; && and || join phrases",
		`agent SAYS "x" && length > 3`: "column 19: found `length`, expected a phrase in quotes, ( " +
			"or !; &&, || and ! apply to phrases",
		`agent SAYS "x" && caller SAYS "y"`: "column 19: found `caller`, expected a phrase in quotes, ( " +
			"or !; &&, || and ! apply to phrases",
		`agent SAYS NOT "x"`: "column 12: found `NOT`, expected a phrase in quotes, ( or " +
			"!; write ! before the phrase",
		`agent SAYS ("x" | "y")`: "column 17: unexpected character `|`; write ||",
		`agent SAYS "x" "y"`: "column 16: found `\"y\"`, expected &&, ||, AND, OR, ORDER " +
			"BY, LIMIT, OFFSET or the end; join phrases",
		`SAYS "x"`: "column 1: found `SAYS`, expected a condition; write the " +
			"speaker before SAYS",
		`agent SAYS "x" WITHIN 3s * SAYS "y"`: "column 16: found `WITHIN`, expected &&, ||, AND, OR, " +
			"ORDER BY, LIMIT, OFFSET or the end; write FOLLOWED BY WITHIN",
		`agent SAYS "x" FOLLOWED BY 3s "y"`: "column 28: found `3s`, expected WITHIN or a speaker",
		`agent SAYS "x"[0:30]`: "column 17: found `:`, expected ,; write a window as " +
			"[0s, 30s]",
		`silence > 10`: "column 1: unknown field `silence`; write silence(10s)",
		`silence 10s`: "column 9: found `10s`, expected SAYS, a comparison, AND " +
			"or OR; write silence(10s)",
		`date_trunc('day', dateCreated) = "2026-07-30"`: "column 11: found `(`, expected SAYS, a comparison, AND or " +
			"OR; date_trunc is allowed only as a column and in GROUP BY and ORDER BY",
		`NOT Count(*) > 1`: "column 10: found `(`, expected SAYS, a comparison, AND or OR; count is allowed only as a " +
			"column and in ORDER BY",
		`dateCreated > date_trunc('day', dateFinished)`: "column 15: found `date_trunc`, expected a value; " +
			"date_trunc is allowed only as a column and in GROUP BY and ORDER BY",
		`SELECT silence(3) FROM media`: "column 8: silence is allowed only in conditions",
		`overtalk(3 seconds)`:          "column 10: `seconds` is not a unit of time",
		`length > 1 min`:               "column 12: unexpected unit `min`",
		`region = "east"`: "column 1: unknown field `region`; for metadata, write " +
			"metadata:region",
		`"a region" = "east"`: "column 1: unknown field `a region`; for metadata, write " +
			"metadata:\"a region\"",
		`agent = "hello"`: "column 1: unknown field `agent`; to search spoken words, " +
			"write \"agent\" SAYS",
		`duration > 60`: "column 1: unknown field `duration`; did you mean length?",
		`title = NULL`: "column 9: found `NULL`, expected a value; find missing " +
			"values with IS NULL",
		`title IS "x"`: "column 10: found `\"x\"`, expected NULL; compare " +
			"values with = or !=",
		`metadata:day > 2026-07-30`: "column 20: found `-`, expected AND, OR, ORDER BY, LIMIT, " +
			"OFFSET or the end; dates must be quoted",
		`dateCreated > 2026-07-30`: "column 15: dateCreated is a time; write the value as",
		`wordCount IN 1,2`:         "column 14: found `1`, expected (",
		`* LIMIT 10, 20`: "column 11: found `,`, expected ORDER BY, OFFSET or the " +
			"end; write LIMIT and OFFSET",
		`SELECT * FROM media MATCH "x" AND *`: "column 31: found `AND`, expected GROUP BY, ORDER BY, " +
			"LIMIT, OFFSET or the end; to join conditions, write WHERE * SAYS",
		`SELECT * FROM media JOIN calls`: "column 21: found `JOIN`, expected WHERE, MATCH, GROUP BY, " +
			"ORDER BY, LIMIT, OFFSET or the end; the only table is media",
		`SELECT avg(length FROM media`: "column 19: found `FROM`, expected )",
		`SELECT date_trunc(day, dateCreated) FROM media`: "column 19: unknown field `day`; periods must be " +
			"quoted: 'day'",
		`DELETE FROM media`:                    "column 1: statements cannot change data; expected SELECT",
		`ALTER TABLE media ADD metadata:a int`: "column 19: found `ADD`, expected DEFINE",
		`* ; *`:                                "column 5: found `*`, expected the end; send one statement",
	} {
		_, err := Parse(text, nil)
		var told *Error
		if !errors.As(err, &told) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\n%v\nwant\n%s", text, err, want)
		} else if len(told.Mistakes) != 1 {
			t.Errorf("%s: %d mistakes:\n%v", text, len(told.Mistakes), err)
		}
	}
}

func TestAllMistakesAreToldAtOnce(t *testing.T) {
	_, err := Parse("agent SAYS (\"a*b\" AND 7 AND \"c\" /x)\nAND wordCuont > 3 AND (length > ) OR title LIKE 7 "+
		"ORDER BY lenght", nil)
	var told *Error
	if !errors.As(err, &told) {
		t.Fatal(err)
	}
	var places [][2]int
	for _, m := range told.Mistakes {
		places = append(places, [2]int{m.Line, m.Column})
	}
	if want := [][2]int{{1, 13}, {1, 23}, {1, 34}, {2, 5}, {2, 33}, {2, 49}, {2, 60}}; !reflect.DeepEqual(places,
		want) {
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
		if _, err := Parse(text, &KnownNames{Metrics: []string{"agent-average-streak"}}); err != nil {
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
		"SELEC x FROM media": "did you mean SELECT?", "selct * from media": "did you mean SELECT?",
		"EXPLIAN *":           "did you mean EXPLAIN?",
		"WHER agent SAYS 'x'": "did you mean WHERE?",
		"ALTR TABLE media DEFINE metadata:a varchar": "did you mean ALTER?",
	} {
		if _, err := Parse(text, nil); err == nil || !strings.Contains(err.Error(), "line 1, column 1") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{`selec SAYS "x"`, `NOT selct SAYS "x"`} {
		if _, err := Parse(text, nil); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// busy returns the processor time used by a function, which excludes other work on the machine.
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

// parses checks that a text is parsed quickly or rejected with readable errors. A parsed text must print as a text
// with the same meaning, and its evaluation must be fast.
func parses(t *testing.T, text string) {
	var s *Statement
	var err error
	took := busy(t, func() { s, err = Parse(text, &KnownNames{Metrics: []string{"call-sentiment", "agent-talk-ratio"}}) })
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
	if s.Select == nil || s.Select.Where == nil {
		return
	}
	c := Of((&drawer{pick: func(n int) int { return n / 2 }}).call(), nil)
	if took := busy(t, func() { Compile(s.Select.Where).Find(c) }); took > time.Second {
		t.Fatalf("%q takes %v of processor time to evaluate", text, took)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		`SELECT mediaId, hits() FROM media WHERE "Agent" SAYS "may be recorded"/1 AND wordCount > 3000 ORDER BY dateCreated DESC LIMIT 50`,
		`agent SAYS ("a" AND NOT ("b" || !"c*")/2)[-10s,50%] FOLLOWED BY WITHIN 3min * SAYS 'd' AND "e"`,
		`SELECT date_trunc('week', metadata:x.y) AS "w k", percentile(length, 50) FROM media GROUP BY "w k"`,
		`ALTER TABLE media DEFINE metadata:"a\"b" varchar(3)`, `silence(3s)[,1] OR “x” NOT IN (1,'y',-2) -- z`, `((((!`,
		`* NOT SAYS ("a")&&(`, "NOT NOT *;",
	} {
		f.Add(text)
	}
	f.Fuzz(parses)
}

// pieces are fragments of statements. Building a text from one byte per piece covers more of the grammar than random
// letters.
var pieces = []string{
	"SELECT", "FROM", "media", "WHERE", "GROUP BY", "ORDER BY", "LIMIT", "OFFSET", "AS", "DISTINCT", "EXPLAIN",
	"ALTER TABLE", "DEFINE", "varchar", "integer", "DESC", "ASC",
	"SAYS", "NOT", "AND", "OR", "FOLLOWED BY", "WITHIN", "NEAR", "IN", "BETWEEN", "IS", "NULL", "LIKE", "CASE", "WHEN",
	"THEN", "ELSE", "END", "HAVING",
	"agent", "caller", "*", `"Agent"`, `"thank you"`, `"pay*"`, `"a b c"/2`, "'x'", "“y”", "silence", "overtalk",
	"hits", "count", "avg", "percentile", "date_trunc",
	"mediaId", "length", "wordCount", "dateCreated", "metadata:x.y", `metadata:"z"`, `metrics:"call-sentiment"`,
	"categories:c", "0", "1", "-2.5", "3s", "10min", "50%", "2026-11-01",
	"(", ")", "[", "]", ",", ";", "/", "!", "&&", "||", "=", "!=", "<>", "<", "<=", ">", ">=", "+", "-", ".", ":",
	"-- c\n", "/*", "\n", "",
}

func FuzzStatementsOfPieces(f *testing.F) {
	for _, words := range [][]string{
		{"SELECT", "mediaId", ",", "hits", "(", ")", "FROM", "media", "WHERE", "agent", "SAYS", `"thank you"`, "AND",
			"wordCount", ">", "1", "ORDER BY", "dateCreated", "DESC", "LIMIT", "1"},
		{"agent", "SAYS", "(", `"pay*"`, "AND", "NOT", "(", `"a b c"/2`, "OR", "!", "'x'", ")", "/", "1", ")", "[", "-",
			"3s", ",", "50%", "]", "FOLLOWED BY", "WITHIN", "10min", "*", "SAYS", "'x'"},
		{"SELECT", "count", "(", "*", ")", "AS", `"Agent"`, ",", "percentile", "(", "length", ",", "1", ")", "FROM",
			"media", "GROUP BY", "metadata:x.y"},
		{"silence", "(", "3s", ")", "OR", "length", "NOT", "IN", "(", "1", ",", "0", ")", "-- c\n"},
	} {
		var bytes []byte
		for _, word := range words {
			bytes = append(bytes, byte(slices.Index(pieces, word)))
		}
		f.Add(bytes)
	}
	f.Fuzz(func(t *testing.T, bytes []byte) {
		var text strings.Builder
		for _, b := range bytes {
			text.WriteString(pieces[int(b)%len(pieces)])
			if int(b) < 2*len(pieces) {
				text.WriteByte(' ')
			}
		}
		parses(t, text.String())
	})
}

// Suggestions for unknown names are computed only for mistakes that are reported, however many there are.
func TestNothingIsReadAfterTheLastMistakeThatIsTold(t *testing.T) {
	read := 0
	p := &parser{Draft: Draft{source: []rune(strings.Repeat(`lenth = 1 OR `, 700) + "*")}, resumed: -1}
	l := lexer{text: p.source, report: func(int, string, ...any) {}}
	p.tokens = l.all()
	p.pair()
	p.statement()
	for p.at < len(p.tokens) && p.tokens[p.at].kind != ending {
		p.at++
		read++
	}
	if len(p.mistakes) != maxMistakes || read < 4*600 {
		t.Errorf("%d mistakes, and %d tokens that were not read", len(p.mistakes), read)
	}
}
