package api

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"parley/internal/host/fair"
	"parley/internal/web/reference"
	"parley/internal/web/workbench"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/list"
	"parley/internal/words/media"
)

// caller identifies who sends a request.
type caller struct {
	Account account.Account
	Scopes  account.Scopes
	Token   account.Token   // token of the request; zero for a signed URL
	Session account.Session // session of the browser; zero if the request carries the token itself
}

// request is a request whose token, path and query have been checked.
type request struct {
	*http.Request
	who   caller
	media media.ID   // id in the path; empty if the path has none
	query url.Values // parameters of the route; only repeatable ones have several values
}

// handler serves an endpoint: it parses, makes one call and renders. If it returns an error, the server answers with
// that error.
type handler func(s *Server, w http.ResponseWriter, r *request) error

// asJSON returns a handler that answers with the value that a function returns.
func asJSON(f func(*Server, *request) (any, error)) handler {
	return func(s *Server, w http.ResponseWriter, r *request) error {
		body, err := f(s, r)
		if err == nil {
			writeJSON(w, http.StatusOK, body)
		}
		return err
	}
}

// withoutBody returns a handler that answers with 204 when a function has succeeded.
func withoutBody(f func(*Server, *request) error) handler {
	return func(s *Server, w http.ResponseWriter, r *request) error {
		err := f(s, r)
		if err == nil {
			w.WriteHeader(http.StatusNoContent)
		}
		return err
	}
}

// route is one endpoint.
type route struct {
	Method string
	Path   string
	Scope  account.Scope // scope that the token must have; empty: no token is required
	serve  handler
}

// parameters lists the query parameters of the routes that have any, by pattern.
var parameters = map[string][]string{
	"GET /v3/media":                                               listParameters,
	"GET /v3/media/progress":                                      {"mediaId" + repeated},
	"GET /v3/media/changes":                                       changesParameters,
	"GET /v3/media/{mediaId}":                                     itemParameters,
	"GET /v3/media/{mediaId}/transcript":                          itemParameters,
	"GET /v3/media/{mediaId}/transcript/{format}":                 itemParameters,
	"GET /v3/media/{mediaId}/transcripts/latest":                  itemParameters,
	"GET /v3/media/{mediaId}/streams/{streamName}":                signature,
	"GET /v3/media/{mediaId}/peaks":                               {"from", "to", "points"},
	"GET /v3/media/{mediaId}/clip":                                {"s", "e", "download"},
	"GET /v3/definition/categories":                               {"expand"},
	"POST /v3/definition/prediction/classifiers":                  {"classifierName", "classifierDisplayName"},
	"GET /v3/definition/prediction/classifiers/{classifierId}":    {"version"},
	"DELETE /v3/definition/prediction/classifiers/{classifierId}": {"version"},
	"POST /v3/analytics/vbql":                                     {"limit", "offset"},
	"GET /v3/analytics/words":                                     {"prefix", "limit"},
	"GET /v3/analytics/values":                                    {"field", "prefix", "limit"},
	"GET /v3/analytics/distributions":                             {"where"},
	"GET /v3/callbacks":                                           deliveryParameters,
	"GET /v3/audit":                                               auditParameters,
	"GET /v3/queue":                                               {"status"},
}

// routes lists every endpoint of the API. Tests iterate over it, so that no endpoint is missed.
var routes = slices.Concat([]route{
	{"GET", "/v3", account.MediaRead, asJSON((*Server).root)},
	{"POST", "/v3/media", account.MediaWrite, asJSON((*Server).postMedia)},
	{"GET", "/v3/media", account.MediaRead, asJSON((*Server).listMedia)},
	{"GET", "/v3/media/progress", account.MediaRead, asJSON((*Server).getProgressOfMany)},
	{"GET", "/v3/media/changes", account.MediaRead, asJSON((*Server).getChanges)},
	{"GET", "/v3/media/{mediaId}", account.MediaRead, (*Server).getMedia},
	{"POST", "/v3/media/{mediaId}", account.MediaWrite, asJSON((*Server).postAgain)},
	{"DELETE", "/v3/media/{mediaId}", account.MediaWrite, withoutBody((*Server).deleteMedia)},
	{"GET", "/v3/media/{mediaId}/progress", account.MediaRead, asJSON((*Server).getProgress)},
	{"POST", "/v3/media/{mediaId}/why", account.Analytics, asJSON((*Server).postWhy)},
	{"GET", "/v3/media/{mediaId}/transcript", account.MediaRead, (*Server).getTranscript},
	{"GET", "/v3/media/{mediaId}/transcript/{format}", account.MediaRead, (*Server).getTranscriptAs},
	{"GET", "/v3/media/{mediaId}/transcripts/latest", account.MediaRead, (*Server).getTranscript},
	{"GET", "/v3/media/{mediaId}/metadata", account.MediaRead, (*Server).getMetadata},
	{"PUT", "/v3/media/{mediaId}/metadata", account.MediaWrite, (*Server).putMetadata},
	{"GET", "/v3/media/{mediaId}/streams", account.MediaRead, asJSON((*Server).listStreams)},
	{"GET", "/v3/media/{mediaId}/streams/{streamName}", "", (*Server).getStream},
	{"GET", "/v3/media/{mediaId}/peaks", account.MediaRead, (*Server).getPeaks},
	{"GET", "/v3/media/{mediaId}/clip", account.MediaRead, (*Server).getClip},
	{"GET", "/v3/media/{mediaId}/encrypted", account.MediaRead, (*Server).getEncrypted},
	{"GET", "/v3/media/{mediaId}/callbacks", account.MediaRead, asJSON((*Server).listCallbacks)},
	{"GET", "/v3/media/{mediaId}/callbacks/{callbackId}", account.MediaRead, asJSON((*Server).getCallback)},
	{"POST", "/v3/media/{mediaId}/callbacks/{callbackId}/retry", account.MediaWrite, asJSON((*Server).retryCallback)},
	{"GET", "/v3/callbacks", account.MediaRead, asJSON((*Server).listDeliveries)},
	{"POST", "/v3/callbacks/retry", account.MediaWrite, asJSON((*Server).retryCallbacks)},
	{"GET", "/v3/callbacks/retry/{retryId}", account.MediaRead, asJSON((*Server).getCallbackRetry)},
	{"GET", "/v3/callbacks/endpoints", account.MediaRead, asJSON((*Server).listEndpoints)},
	{"GET", "/v3/callbacks/secrets", account.Keys, asJSON((*Server).listSecrets)},
	{"POST", "/v3/callbacks/secrets", account.Keys, asJSON((*Server).createSecret)},
	{"DELETE", "/v3/callbacks/secrets/{secretId}", account.Keys, withoutBody((*Server).deleteSecret)},
	{"GET", "/v3/definition/media/search", account.Definitions, (*Server).getSearchFields},
	{"PUT", "/v3/definition/media/search", account.Definitions, (*Server).putSearchFields},
	{"DELETE", "/v3/definition/media/search", account.Definitions, withoutBody((*Server).deleteSearchFields)},
	{"POST", "/v3/definition/categories/{categoryName}/test", account.Analytics, asJSON((*Server).testCategory)},
	{"POST", "/v3/definition/categories/{categoryName}/apply", account.MediaWrite, asJSON((*Server).applyCategory)},
	{"GET", "/v3/definition/categories/{categoryName}/apply", account.Definitions, (*Server).getApply},
	{"GET", "/v3/definition/metrics", account.Definitions, asJSON((*Server).listMetrics)},
	{"GET", "/v3/definition/prediction/classifiers", account.Definitions, asJSON((*Server).listClassifiers)},
	{"POST", "/v3/definition/prediction/classifiers", account.Definitions, asJSON((*Server).trainClassifier)},
	{"GET", "/v3/definition/prediction/classifiers/{classifierId}", account.Definitions, asJSON((*Server).getClassifier)},
	{"DELETE", "/v3/definition/prediction/classifiers/{classifierId}", account.Definitions,
		withoutBody((*Server).deleteClassifier)},
	{"GET", "/v3/definition/prediction/detectors", account.Definitions, asJSON((*Server).listDetectors)},
	{"GET", "/v3/definition/prediction/detectors/{detectorId}", account.Definitions, asJSON((*Server).getDetector)},
	{"GET", "/v3/profile/keys", account.Keys, asJSON((*Server).listKeys)},
	{"POST", "/v3/profile/keys", account.Keys, asJSON((*Server).createKey)},
	{"GET", "/v3/profile/keys/{keyId}", account.Keys, asJSON((*Server).getKey)},
	{"DELETE", "/v3/profile/keys/{keyId}", account.Keys, withoutBody((*Server).deleteKey)},
	{"GET", "/v3/profile/limits", account.MediaRead, asJSON((*Server).getLimits)},
	{"GET", "/v3/profile/sessions", account.Keys, asJSON((*Server).listSessions)},
	{"DELETE", "/v3/profile/sessions/{sessionId}", account.Keys, withoutBody((*Server).deleteSession)},
	{"GET", "/v3/security/public-keys", account.Keys, asJSON((*Server).listPublicKeys)},
	{"POST", "/v3/security/public-keys", account.Keys, asJSON((*Server).createPublicKey)},
	{"GET", "/v3/security/public-keys/{publicKeyId}", account.Keys, (*Server).getPublicKey},
	{"DELETE", "/v3/security/public-keys/{publicKeyId}", account.Keys, withoutBody((*Server).deletePublicKey)},
	{"POST", "/v3/analytics/vbql", account.Analytics, asJSON((*Server).postStatement)},
	{"GET", "/v3/analytics/schema", account.Analytics, asJSON((*Server).getSchema)},
	{"POST", "/v3/analytics/export", account.Analytics, (*Server).postExport},
	{"POST", "/v3/analytics/test", account.Analytics, asJSON((*Server).testCondition)},
	{"POST", "/v3/analytics/check", account.Analytics, asJSON((*Server).checkQuery)},
	{"POST", "/v3/analytics/explore", account.Analytics, asJSON((*Server).postExplore)},
	{"GET", "/v3/analytics/words", account.Analytics, asJSON((*Server).getWords)},
	{"GET", "/v3/analytics/values", account.Analytics, asJSON((*Server).getValues)},
	{"GET", "/v3/analytics/distributions", account.Analytics, asJSON((*Server).getDistributions)},
	{"GET", "/v3/usage/months", account.Analytics, usageJSON(allUsage)},
	{"GET", "/v3/usage/monthly/{year}/{month}", account.Analytics, usageJSON(monthlyUsage)},
	{"GET", "/v3/usage/monthly/{year}/{month}/csv", account.Analytics, usageCSV("monthly", monthlyUsage)},
	{"GET", "/v3/usage/daily/{year}/{month}", account.Analytics, usageJSON(dailyUsage)},
	{"GET", "/v3/usage/daily/{year}/{month}/csv", account.Analytics, usageCSV("daily", dailyUsage)},
	{"GET", "/v3/audit", account.Admin, asJSON((*Server).listAudit)},
	{"GET", "/v3/queue", account.Admin, asJSON((*Server).getQueue)},
	{"POST", "/v3/queue/{jobId}/requeue", account.Admin, asJSON((*Server).requeue)},
	{"GET", sessionPath, "", (*Server).getSession},
	{"POST", sessionPath, "", (*Server).signIn},
	{"DELETE", sessionPath, "", (*Server).signOut},
	{"GET", "/healthz", "", asJSON((*Server).healthz)},
	{"GET", "/readyz", "", (*Server).readyz},
	{"GET", "/metrics", "", (*Server).serveMetrics},
	{"GET", "/openapi.json", "", (*Server).openAPI},
	{"GET", "/docs", "", page(reference.Page)},
	{"GET", "/docs/{file}", "", page(reference.Asset)},
	{"GET", "/ui/", "", page(workbench.Page)},
	{"GET", "/ui/{asset}", "", page(workbench.File)},
},
	groups.routes("/v3/definition/spotting/groups", account.Definitions),
	categories.routes("/v3/definition/categories", account.Definitions),
	vocabularies.routes("/v3/definition/vocabularies", account.Definitions),
	presets.routes("/v3/definition/presets", account.Definitions),
	dashboards.routes("/v3/definition/dashboards", account.Definitions),
	queries.routes("/v3/analytics/queries", account.Analytics),
)

// page adapts a handler of another package.
func page(f http.HandlerFunc) handler {
	return func(_ *Server, w http.ResponseWriter, r *request) error {
		answer := &failureFilter{ResponseWriter: w}
		f(answer, r.Request)
		if answer.refused != 0 {
			return fault.New(fault.NotFound, fault.CodeNotFound, "no page %s; see /docs", r.URL.Path)
		}
		return nil
	}
}

// mux builds the handler of all routes. It answers 405 for a known path with the wrong method, and 404 for an unknown
// path.
func (s *Server) mux() http.Handler {
	mux := http.NewServeMux()
	paths := map[string][]route{}
	for _, rt := range routes {
		if !s.WorkerOnly || !rt.ofAccount() {
			paths[rt.Path] = append(paths[rt.Path], rt)
		}
	}
	for path, served := range paths {
		s.paths = append(s.paths, strings.Split(path, "/"))
		mux.HandleFunc(exactly(path), s.byMethod(served))
	}
	mux.HandleFunc("/", s.noSuchAPI)
	return mux
}

// exactly returns the pattern of a path: one that ends in a slash stands for itself alone.
func exactly(path string) string {
	if strings.HasSuffix(path, "/") {
		return path + "{$}"
	}
	return path
}

// byMethod serves one path. The patterns of the mux have no methods, because it refuses two of them of which one has
// the more specific path and the other one a method.
func (s *Server) byMethod(served []route) http.HandlerFunc {
	refuse := s.methodNotAllowed(list.Map(served, func(rt route) string { return rt.Method }))
	serve := map[string]http.HandlerFunc{}
	for _, rt := range served {
		serve[rt.Method] = s.endpoint(rt)
		if rt.Method == http.MethodGet {
			serve[http.MethodHead] = serve[rt.Method]
		}
	}
	return func(w http.ResponseWriter, r *http.Request) {
		if f, ok := serve[r.Method]; ok {
			f(w, r)
		} else {
			refuse(w, r)
		}
	}
}

// ofAccount reports whether requests to a route concern an account. They are recorded, and processes that only run jobs
// do not serve them.
func (rt route) ofAccount() bool { return strings.HasPrefix(rt.Path, "/v3") || rt.Path == sessionPath }

// endpoint checks the token and its scope, answers with errors, and records audit events.
func (s *Server) endpoint(rt route) http.HandlerFunc {
	if !rt.ofAccount() {
		return func(w http.ResponseWriter, r *http.Request) { s.answer(rt, w, r) }
	}
	return func(w http.ResponseWriter, r *http.Request) {
		v, r := s.arrive(rt, r)
		s.counted(w, r, v)
		err := errPanic
		defer func() { s.depart(context.WithoutCancel(r.Context()), rt, v, err) }()
		if err = s.answer(rt, w, r); err == nil {
			err = v.refused
		}
	}
}

// counted makes large answers count towards the memory of the request.
func (s *Server) counted(w http.ResponseWriter, r *http.Request, v *visit) {
	rec, ok := w.(*pacedResponse)
	if !ok {
		v.stop = func() {}
		return
	}
	rec.visit, v.stop = v, rec.stop
	rec.refuse = func(err error) {
		v.refused = err
		s.fail(w, r, err)
	}
}

// answer serves a request and returns the error that was sent, if any.
func (s *Server) answer(rt route, w http.ResponseWriter, r *http.Request) (err error) {
	var who caller
	if rt.Scope != "" {
		who, err = s.authorize(r, rt.Scope)
	}
	if err == nil {
		err = uncompressed(r)
	}
	if rec, ok := w.(*pacedResponse); ok && rt.Scope != "" {
		r = r.WithContext(fair.With(r.Context(), s.Processors, string(who.Account.ID)))
		rec.work = r.Context()
		rec.negotiateCoding(rt, r)
	}
	checked := &request{Request: r, who: who}
	if err == nil && rt.ofAccount() {
		err = checked.parse(rt)
	}
	if err == nil {
		err = rt.serve(s, w, checked)
	}
	if err != nil {
		s.fail(w, r, err)
	}
	return err
}

// parse checks the path and the query of a request.
func (r *request) parse(rt route) (err error) {
	if strings.Contains(rt.Path, "{mediaId}") {
		if r.media, err = media.ParseID(r.PathValue("mediaId")); err != nil {
			return err
		}
	}
	r.query, err = readQuery(r.Request, parameters[rt.Method+" "+rt.Path]...)
	return err
}

func (s *Server) methodNotAllowed(allowed []string) http.HandlerFunc {
	if slices.Contains(allowed, "GET") {
		allowed = append(slices.Clone(allowed), "HEAD")
	}
	list := strings.Join(allowed, ", ")
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Allow", list)
		s.fail(w, r, fault.New(fault.Invalid, fault.CodeMethod, "%s is not allowed on %s; use %s", r.Method, r.URL.Path,
			list))
	}
}
