package api

import "parley/internal/words/account"

// Route is a row of the route table, for tests outside the package.
type Route struct {
	Method, Path string
	Scope        account.Scope
}

// Routes returns the route table without SignInRoutes.
func Routes() []Route {
	return filtered(func(r route) bool { return r.Path != sessionPath })
}

// SignInRoutes returns the routes where the pages of the server sign in, which take no token.
func SignInRoutes() []Route {
	return filtered(func(r route) bool { return r.Path == sessionPath })
}

func filtered(wanted func(route) bool) (all []Route) {
	for _, r := range routes {
		if wanted(r) {
			all = append(all, Route{r.Method, r.Path, r.Scope})
		}
	}
	return all
}
