package api

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"parley/internal/host/fair"
	"parley/internal/web/reference"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// caller identifies who sends a request.
type caller struct {
	Account account.Account
	Scopes  account.Scopes
	Token   account.Token // token of the request; zero for a signed URL
}

// handler serves an endpoint: it parses, makes one call and renders. If it returns an error, the server answers with
// that error.
type handler func(s *Server, w http.ResponseWriter, r *http.Request, who caller) error

// route is one endpoint.
type route struct {
	Method string
	Path   string
	Scope  account.Scope // scope that the token must have; empty: no token is required
	serve  handler
}

// routes lists every endpoint of the API. Tests iterate over it, so that no endpoint is missed.
var routes = []route{
	{"GET", "/v3", account.MediaRead, (*Server).root},
	{"POST", "/v3/media", account.MediaWrite, (*Server).postMedia},
	{"GET", "/v3/media", account.MediaRead, (*Server).listMedia},
	{"GET", "/v3/media/{mediaId}", account.MediaRead, (*Server).getMedia},
	{"POST", "/v3/media/{mediaId}", account.MediaWrite, (*Server).postAgain},
	{"DELETE", "/v3/media/{mediaId}", account.MediaWrite, (*Server).deleteMedia},
	{"GET", "/v3/media/{mediaId}/progress", account.MediaRead, (*Server).getProgress},
	{"GET", "/v3/media/{mediaId}/transcript", account.MediaRead, (*Server).getTranscript},
	{"GET", "/v3/media/{mediaId}/transcript/{format}", account.MediaRead, (*Server).getTranscriptAs},
	{"GET", "/v3/media/{mediaId}/transcripts/latest", account.MediaRead, (*Server).getTranscript},
	{"GET", "/v3/media/{mediaId}/metadata", account.MediaRead, (*Server).getMetadata},
	{"PUT", "/v3/media/{mediaId}/metadata", account.MediaWrite, (*Server).putMetadata},
	{"GET", "/v3/media/{mediaId}/streams", account.MediaRead, (*Server).listStreams},
	{"GET", "/v3/media/{mediaId}/streams/{streamName}", "", (*Server).getStream},
	{"GET", "/v3/media/{mediaId}/encrypted", account.MediaRead, (*Server).getEncrypted},
	{"GET", "/v3/media/{mediaId}/callbacks", account.MediaRead, (*Server).listCallbacks},
	{"GET", "/v3/media/{mediaId}/callbacks/{callbackId}", account.MediaRead, (*Server).getCallback},
	{"POST", "/v3/media/{mediaId}/callbacks/{callbackId}/retry", account.MediaWrite, (*Server).retryCallback},
	{"GET", "/v3/callbacks/endpoints", account.MediaRead, (*Server).listEndpoints},
	{"GET", "/v3/callbacks/secrets", account.Keys, (*Server).listSecrets},
	{"POST", "/v3/callbacks/secrets", account.Keys, (*Server).createSecret},
	{"DELETE", "/v3/callbacks/secrets/{secretId}", account.Keys, (*Server).deleteSecret},
	{"GET", "/v3/definition/media/search", account.Definitions, (*Server).getSearchFields},
	{"PUT", "/v3/definition/media/search", account.Definitions, (*Server).putSearchFields},
	{"DELETE", "/v3/definition/media/search", account.Definitions, (*Server).deleteSearchFields},
	{"GET", "/v3/definition/spotting/groups", account.Definitions, groups.getAll},
	{"GET", "/v3/definition/spotting/groups/{groupName}", account.Definitions, groups.get},
	{"PUT", "/v3/definition/spotting/groups/{groupName}", account.Definitions, groups.put},
	{"DELETE", "/v3/definition/spotting/groups/{groupName}", account.Definitions, groups.delete},
	{"GET", "/v3/definition/categories", account.Definitions, categories.getAll},
	{"GET", "/v3/definition/categories/{categoryName}", account.Definitions, categories.get},
	{"PUT", "/v3/definition/categories/{categoryName}", account.Definitions, categories.put},
	{"DELETE", "/v3/definition/categories/{categoryName}", account.Definitions, categories.delete},
	{"POST", "/v3/definition/categories/{categoryName}/test", account.Analytics, (*Server).testCategory},
	{"POST", "/v3/definition/categories/{categoryName}/apply", account.MediaWrite, (*Server).applyCategory},
	{"GET", "/v3/definition/categories/{categoryName}/apply", account.Definitions, (*Server).getApply},
	{"GET", "/v3/definition/metrics", account.Definitions, (*Server).listMetrics},
	{"GET", "/v3/definition/prediction/classifiers", account.Definitions, (*Server).listClassifiers},
	{"POST", "/v3/definition/prediction/classifiers", account.Definitions, (*Server).trainClassifier},
	{"GET", "/v3/definition/prediction/classifiers/{classifierId}", account.Definitions, (*Server).getClassifier},
	{"DELETE", "/v3/definition/prediction/classifiers/{classifierId}", account.Definitions, (*Server).deleteClassifier},
	{"GET", "/v3/definition/prediction/detectors", account.Definitions, (*Server).listDetectors},
	{"GET", "/v3/definition/prediction/detectors/{detectorId}", account.Definitions, (*Server).getDetector},
	{"GET", "/v3/definition/vocabularies", account.Definitions, vocabularies.getAll},
	{"GET", "/v3/definition/vocabularies/{vocabularyName}", account.Definitions, vocabularies.get},
	{"PUT", "/v3/definition/vocabularies/{vocabularyName}", account.Definitions, vocabularies.put},
	{"DELETE", "/v3/definition/vocabularies/{vocabularyName}", account.Definitions, vocabularies.delete},
	{"GET", "/v3/profile/keys", account.Keys, (*Server).listKeys},
	{"POST", "/v3/profile/keys", account.Keys, (*Server).createKey},
	{"GET", "/v3/profile/keys/{keyId}", account.Keys, (*Server).getKey},
	{"DELETE", "/v3/profile/keys/{keyId}", account.Keys, (*Server).deleteKey},
	{"GET", "/v3/security/public-keys", account.Keys, (*Server).listPublicKeys},
	{"POST", "/v3/security/public-keys", account.Keys, (*Server).createPublicKey},
	{"GET", "/v3/security/public-keys/{publicKeyId}", account.Keys, (*Server).getPublicKey},
	{"DELETE", "/v3/security/public-keys/{publicKeyId}", account.Keys, (*Server).deletePublicKey},
	{"POST", "/v3/analytics/vbql", account.Analytics, (*Server).postStatement},
	{"GET", "/v3/analytics/schema", account.Analytics, (*Server).getSchema},
	{"GET", "/v3/analytics/queries", account.Analytics, queries.getAll},
	{"GET", "/v3/analytics/queries/{queryName}", account.Analytics, queries.get},
	{"PUT", "/v3/analytics/queries/{queryName}", account.Analytics, queries.put},
	{"DELETE", "/v3/analytics/queries/{queryName}", account.Analytics, queries.delete},
	{"POST", "/v3/analytics/export", account.Analytics, (*Server).postExport},
	{"POST", "/v3/analytics/test", account.Analytics, (*Server).testCondition},
	{"GET", "/v3/usage/months", account.Analytics, usageJSON(allUsage)},
	{"GET", "/v3/usage/monthly/{year}/{month}", account.Analytics, usageJSON(monthlyUsage)},
	{"GET", "/v3/usage/monthly/{year}/{month}/csv", account.Analytics, usageCSV("monthly", monthlyUsage)},
	{"GET", "/v3/usage/daily/{year}/{month}", account.Analytics, usageJSON(dailyUsage)},
	{"GET", "/v3/usage/daily/{year}/{month}/csv", account.Analytics, usageCSV("daily", dailyUsage)},
	{"GET", "/v3/audit", account.Admin, (*Server).listAudit},
	{"GET", "/v3/queue", account.Admin, (*Server).getQueue},
	{"POST", "/v3/queue/{jobId}/requeue", account.Admin, (*Server).requeue},
	{"GET", "/healthz", "", (*Server).healthz},
	{"GET", "/readyz", "", (*Server).readyz},
	{"GET", "/metrics", "", (*Server).serveMetrics},
	{"GET", "/openapi.json", "", (*Server).openAPI},
	{"GET", "/docs", "", page(reference.Page)},
	{"GET", "/docs/{file}", "", page(reference.Asset)},
}

// page adapts a handler of another package.
func page(f http.HandlerFunc) handler {
	return func(_ *Server, w http.ResponseWriter, r *http.Request, _ caller) error {
		answer := &judged{ResponseWriter: w}
		f(answer, r)
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
	methods := map[string][]string{}
	for _, rt := range routes {
		if s.WorkerOnly && strings.HasPrefix(rt.Path, "/v3") {
			continue
		}
		mux.HandleFunc(rt.Method+" "+rt.Path, s.endpoint(rt))
		methods[rt.Path] = append(methods[rt.Path], rt.Method)
	}
	for path, allowed := range methods {
		s.paths = append(s.paths, strings.Split(path, "/"))
		mux.HandleFunc(path, s.methodNotAllowed(allowed))
	}
	mux.HandleFunc("/", s.noSuchAPI)
	return mux
}

// endpoint checks the token and its scope, answers with errors, and records audit events.
func (s *Server) endpoint(rt route) http.HandlerFunc {
	if !strings.HasPrefix(rt.Path, "/v3") {
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
	}
	if err == nil {
		err = rt.serve(s, w, r, who)
	}
	if err != nil {
		s.fail(w, r, err)
	}
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

// mediaID parses the media id of a path.
func mediaID(r *http.Request) (media.ID, error) { return media.ParseID(r.PathValue("mediaId")) }
