package api_test

import (
	"bytes"
	"encoding/csv"
	"net/http"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
)

func exported(t *testing.T, c *servertest.Client, body string) servertest.Answer {
	t.Helper()
	return c.Do(t, http.MethodPost, "/v3/analytics/export", strings.NewReader(body), "Content-Type", "application/json")
}

func TestTablesAreExportedAsCSVAndParquet(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	other := s.As(t, "other", account.AllScopes...)
	ok(t, s.Do(t, http.MethodPut, categoriesPath+"/greeting", category(`* SAYS "thank you for calling"`)))
	id := s.Submit(t, sampleCall, servertest.Field("metadata", `{"title":"a \"b\", c"}`), saidInSample(t),
		servertest.Field("configuration",
			`{`+agentAndCaller+`,"metrics":[{"metricGroupName":"overtalk"}],"categories":[{"allCategories":true}],"publish":{"enableAnalyticIndexing":true}}`))
	theirs := analytic(t, s, other, `{}`)
	item := s.Await(t, id)
	words := len(item["transcript"].(map[string]any)["words"].([]any))
	for table, least := range map[string]int{"calls": 1, "metrics": 6, "categories": 1, "words": words / 2} {
		a := ok(t, exported(t, s.Client, `{"table":"`+table+`"}`))
		rows, err := csv.NewReader(bytes.NewReader(a.Body)).ReadAll()
		if err != nil || len(rows) < 1+least || rows[0][0] != "mediaId" || rows[1][0] != id ||
			strings.Contains(string(a.Body), theirs) {
			t.Errorf("%s: %v, %d rows", table, err, len(rows))
		}
		p := ok(t, exported(t, s.Client, `{"table":"`+table+`","format":"parquet"}`))
		file, err := parquet.OpenFile(bytes.NewReader(p.Body), int64(len(p.Body)))
		if err != nil || file.NumRows() != int64(len(rows)-1) {
			t.Errorf("%s as Parquet: %v, want %d rows", table, err, len(rows)-1)
			continue
		}
		columns := file.Schema().Columns()
		if len(columns) != len(rows[0]) || columns[0][0] != "mediaId" {
			t.Errorf("%s: columns %v, want %v", table, columns, rows[0])
		}
	}
	calls, _ := csv.NewReader(bytes.NewReader(exported(t, s.Client, ``).Body)).ReadAll()
	if len(calls) != 2 || calls[1][9] != `a "b", c` {
		t.Errorf("%q", calls)
	}
	if none := ok(t, exported(t, s.Client, `{"query":"* SAYS \"nosuchword\""}`)); bytes.Count(none.Body,
		[]byte("\n")) != 1 {
		t.Errorf("%s", none)
	}
	refused(t, exported(t, s.Client, `{"table":"tokens"}`), 400, 95002, "calls")
	refused(t, exported(t, s.Client, `{"query":"says"}`), 400, 95081, "line 1")
}
