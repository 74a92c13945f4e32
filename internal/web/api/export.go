package api

import (
	"cmp"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"parley/internal/analysis/talk"
	"parley/internal/index/columnar"
	vbql "parley/internal/query"
	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
)

// exportShape lists the valid keys of an export request.
var exportShape = jsondoc.Fields(
	jsondoc.Field{Name: "table", Shape: jsondoc.Enum(fault.CodeParameter, columnar.ExportTables...)},
	jsondoc.Field{Name: "format", Shape: jsondoc.Enum(fault.CodeParameter, columnar.ExportFormats...)},
	jsondoc.Field{Name: "query", Shape: jsondoc.Text().Coded(fault.CodeQuery)},
	periodFields[0], periodFields[1], periodFields[2],
)

// readExport parses an export request; an empty body asks for all calls as CSV.
func (s *Server) readExport(r *request) (e columnar.Export, err error) {
	root, err := s.readObject(r, exportShape, fault.CodeParameter, `{"table":"calls","format":"csv"}`)
	if err != nil {
		return e, err
	}
	e.Table = strings.ToLower(cmp.Or(root.Get("table").Text(), "calls"))
	e.Format = strings.ToLower(cmp.Or(root.Get("format").Text(), "csv"))
	if text := root.Get("query").Text(); text != "" {
		e.Condition, err = readCondition(r.Context(), text, &vbql.KnownNames{Metrics: talk.Names()})
		if err != nil {
			return e, err
		}
	}
	p, err := readPeriod(root)
	e.Condition = p.within(e.Condition)
	return e, err
}

var exportTypes = map[string]string{"csv": "text/csv; charset=utf-8", "parquet": "application/vnd.apache.parquet"}

// postExport streams a file of rows as they are found.
func (s *Server) postExport(w http.ResponseWriter, r *request) error {
	e, err := s.readExport(r)
	if err != nil {
		return err
	}
	if e.Figures = !r.who.reads(); e.Figures && e.Table == "words" {
		return needsRead(`"table":"words"`)
	}
	if err := r.who.mayAsk(e.Condition); err != nil {
		return err
	}
	left, err := s.Analytics.LeftOut(r.Context(), r.who.Account.ID)
	if err != nil {
		return err
	}
	body := &deferredBody{begin: func() io.Writer {
		if n := left.Total(); n > 0 {
			w.Header().Set("Parley-Not-Indexed", strconv.Itoa(n))
		}
		w.Header().Set("Content-Type", exportTypes[e.Format])
		attach(w, e.Table+"."+e.Format)
		w.WriteHeader(http.StatusOK)
		return w
	}}
	err = s.Analytics.Export(r.Context(), r.who.Account.ID, e, body)
	if err != nil && body.begun != nil {
		s.Log.LogAttrs(r.Context(), slog.LevelWarn, "export aborted", slog.Any("error", err))
		panic(http.ErrAbortHandler)
	}
	return err
}

// deferredBody sends the headers with the first byte of the answer, so that earlier failures can still be answered as
// errors.
type deferredBody struct {
	begin func() io.Writer
	begun io.Writer
}

func (b *deferredBody) Write(p []byte) (int, error) {
	if b.begun == nil {
		b.begun = b.begin()
	}
	return b.begun.Write(p)
}
