package definition

import (
	"cmp"

	"parley/internal/query"
	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
)

// Dashboard is a page of statements with charts.
type Dashboard struct {
	Name        string
	Title       string
	Description string
	Tiles       []Tile // in the order in which they are shown
	BuiltIn     bool   // belongs to the server; not stored
}

// Tile is a statement with the way to show its answer.
type Tile struct {
	Title     string
	Statement string // a SELECT, without a period
	Chart     Chart
	Width     int // columns of 12
	View      View
}

// Chart is a way to show the answer to a statement.
type Chart string

// The charts.
const (
	Bars   Chart = "bars"
	Lines  Chart = "lines"
	Single Chart = "number"
	Table  Chart = "table"
)

// Charts are all charts.
var Charts = []Chart{Bars, Lines, Single, Table}

// Limits of a dashboard.
const (
	MaxTiles   = 24
	MaxTitle   = 200 // characters
	fullWidth  = 12
	usualWidth = 6
)

var tileShape = jsondoc.Fields(
	jsondoc.Field{Name: "title", Shape: jsondoc.Text()},
	jsondoc.Field{Name: "statement", Shape: jsondoc.Text()},
	jsondoc.Field{Name: "chart", Shape: jsondoc.Enum(fault.CodeDashboard, Charts...)},
	jsondoc.Field{Name: "width", Shape: jsondoc.Whole()},
	jsondoc.Field{Name: "view", Shape: jsondoc.Open()},
)

// dashboardFormat lists every key of a dashboard. Answers contain the dates, so clients may send them back, and copies
// of dashboards that are built in.
var dashboardFormat = format{
	what:    "dashboard",
	example: `{"title":"Support line","tiles":[{"statement":"SELECT count(*) FROM media","chart":"number"}]}`,
	values:  50_000, code: fault.CodeDashboard, nameKey: "dashboardName", nameCode: fault.CodeDashboard,
	shape: jsondoc.Fields(
		jsondoc.Field{Name: "dashboardName", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "title", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "dashboardDescription", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "tiles", Shape: jsondoc.List(tileShape)},
		jsondoc.Field{Name: "builtin", Shape: jsondoc.Flag()},
		jsondoc.Field{Name: "dateCreated", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "dateModified", Shape: jsondoc.Text()},
	),
}

// ParseDashboard parses a dashboard to be saved under a name. known are the names that its statements may use. The
// error is a fault of kind Invalid with all problems.
func ParseDashboard(name string, sent []byte, known query.KnownNames) (Dashboard, error) {
	c := &checker{}
	root := c.parse(dashboardFormat, name, sent)
	if root == nil {
		return checked(Dashboard{}, c)
	}
	d := Dashboard{
		Name:        name,
		Title:       c.text(root.Get("title"), fault.CodeDashboard, MaxTitle),
		Description: c.text(root.Get("dashboardDescription"), fault.CodeDashboard, MaxDescription),
	}
	tiles := root.Get("tiles")
	if n := len(tiles.Items()); n > MaxTiles {
		c.refuse(tiles, fault.CodeDashboard, "has %d tiles; at most %d are allowed", n, MaxTiles)
		return checked(d, c)
	}
	for _, v := range tiles.Items() {
		if v.Kind() == jsondoc.Object {
			d.Tiles = append(d.Tiles, c.tile(v, known))
		}
	}
	return checked(d, c)
}

func (c *checker) tile(v *jsondoc.Value, known query.KnownNames) Tile {
	t := Tile{
		Title: c.text(v.Get("title"), fault.CodeDashboard, MaxTitle),
		Chart: cmp.Or(Chart(tileShape.At("chart").Canonical(v.Get("chart").Text())), Table),
		Width: c.width(v.Get("width")),
		View:  c.view(v.Get("view"), fault.CodeDashboard),
	}
	if t.Statement = written(v.Get("statement")); t.Statement == "" {
		c.problems = append(c.problems, fault.Problem{Code: fault.CodeQuery,
			Message: v.Pointer() + "/statement is missing; enter a statement such as SELECT count(*) FROM media"})
		return t
	}
	if s := c.statement(v.Get("statement"), known); s != nil && (s.Select == nil || s.Explain) {
		c.refuse(v.Get("statement"), fault.CodeQuery, "is not a SELECT; tiles show what calls there are")
	}
	return t
}

func (c *checker) width(v *jsondoc.Value) int {
	n, ok := v.Int()
	if !ok {
		return usualWidth
	}
	if n < 1 || n > fullWidth {
		c.refuse(v, fault.CodeDashboard, "%d is out of range; use a number of columns from 1 to %d", n, fullWidth)
		return usualWidth
	}
	return int(n)
}
