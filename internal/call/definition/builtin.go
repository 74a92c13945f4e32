package definition

import (
	"fmt"
	"slices"
	"strings"

	"parley/internal/query"
	"parley/internal/words/fault"
)

// builtInPrefix begins the names of the dashboards that are built in, of this version and of later ones.
const builtInPrefix = "builtin-"

// IsBuiltIn reports whether a name is one of the names of dashboards that are built in.
func IsBuiltIn(dashboard string) bool {
	return strings.HasPrefix(strings.ToLower(dashboard), builtInPrefix)
}

// ChangeOfBuiltIn is the error for a change of a dashboard that is built in.
func ChangeOfBuiltIn() error {
	return fault.New(fault.Conflict, fault.CodeConflict, "names that begin with %q belong to dashboards that are built "+
		"in and cannot be changed; save a copy under another name", builtInPrefix)
}

// Statements of dashboards that are built in, with their columns to be filled in.
const (
	ofAll   = "SELECT %s FROM media"
	byDay   = "SELECT date_trunc('day', dateCreated) AS day, %s FROM media GROUP BY day ORDER BY day"
	byAgent = "SELECT metadata:agent:fullName AS agent, %s FROM media WHERE metadata:agent:fullName IS NOT NULL " +
		"GROUP BY agent ORDER BY agent"
)

// figure is what a tile shows of a group of calls.
type figure struct{ title, columns string }

var figures = []figure{
	{"Calls", `count(*) AS calls`},
	{"Length", `avg(length) AS length`},
	{"Sentiment", `avg(sentiment) AS sentiment`},
	{"Talk ratio", `avg(metrics:"agent-talk-ratio") AS agentRatio, avg(metrics:"caller-talk-ratio") AS callerRatio`},
	{"Silence and overtalk", `avg(metrics:"silence-ratio") AS silence, avg(metrics:"overtalk-ratio") AS overtalk`},
}

func (f figure) tile(statement string, chart Chart, width int) Tile {
	return Tile{Title: f.title, Statement: fmt.Sprintf(statement, f.columns), Chart: chart, Width: width}
}

// BuiltInDashboards are the dashboards of every account. categories are the names of its categories. Of many
// categories, the tiles show the first ones by name.
func BuiltInDashboards(categories []string) []Dashboard {
	overview := Dashboard{Name: builtInPrefix + "overview", Title: "Overview", BuiltIn: true,
		Description: "Volume, length, sentiment, talk ratios, silence and overtalk by day"}
	agents := Dashboard{Name: builtInPrefix + "agents", Title: "Agents", BuiltIn: true,
		Description: "Volume, length, sentiment, talk ratios, silence and overtalk by callDetails.agent.fullName"}
	for _, f := range figures[:3] {
		overview.Tiles = append(overview.Tiles, f.tile(ofAll, Single, fullWidth/3))
	}
	for i, f := range figures {
		chart := Lines
		if i == 0 {
			chart = Bars
		}
		overview.Tiles = append(overview.Tiles, f.tile(byDay, chart, usualWidth))
		agents.Tiles = append(agents.Tiles, f.tile(byAgent, Bars, usualWidth))
	}
	shares := Dashboard{Name: builtInPrefix + "categories", Title: "Categories", BuiltIn: true,
		Description: "Which part of the calls matches each category, by day and by agent"}
	if f := (figure{"", sharesOf(categories)}); f.columns != "" {
		shares.Tiles = []Tile{f.titled("By day").tile(byDay, Lines, fullWidth),
			f.titled("By agent").tile(byAgent, Table, fullWidth)}
	}
	return []Dashboard{overview, agents, shares}
}

func (f figure) titled(title string) figure { return figure{title, f.columns} }

// Limits of the categories that a tile shows: their number, and the length of their columns in bytes, with which the
// statement is short enough.
const (
	mostShares   = 50
	longestShare = query.MaxLength - 500
)

// sharesOf returns the columns that tell which part of the calls matches each category; "" without categories. A
// category that is named like a group gets a name with a space, which no category has.
func sharesOf(categories []string) string {
	var columns strings.Builder
	sorted := slices.Sorted(slices.Values(categories))
	for _, name := range sorted[:min(len(sorted), mostShares)] {
		as := name
		if strings.EqualFold(name, "day") || strings.EqualFold(name, "agent") {
			as = "category " + name
		}
		column := fmt.Sprintf("avg(%s) AS %s", query.Field{Space: query.Categories, Path: []string{name}}, query.Text(as))
		if columns.Len()+len(column) > longestShare {
			break
		}
		if columns.Len() > 0 {
			columns.WriteString(", ")
		}
		columns.WriteString(column)
	}
	return columns.String()
}
