package api

import "parley/internal/words/account"

// Route is a row of the route table, for tests outside the package.
type Route struct {
	Method, Path string
	Scope        account.Scope
}

// Routes returns the whole route table.
func Routes() []Route {
	all := make([]Route, len(routes))
	for i, r := range routes {
		all[i] = Route{r.Method, r.Path, r.Scope}
	}
	return all
}
