package api

import (
	"net/url"
	"slices"
	"strings"

	"github.com/google/uuid"

	"parley/internal/call/delivery"
	"parley/internal/call/wire"
	"parley/internal/flow/callback"
	"parley/internal/host/memory"
	"parley/internal/storage/store"
	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
)

var deliveryParameters = []string{"status", "endpoint", "mediaId", "after", "limit"}

// deliveryStates lists the states that a client may ask for.
var deliveryStates = []delivery.State{delivery.Failed, delivery.Delivered, delivery.Pending}

// deliveryMemory is the approximate memory to render a delivery of a list, in addition to what is read of it.
const deliveryMemory = 2 << 10

// readDeliveries parses the parameters of the list of deliveries.
func readDeliveries(values url.Values) (f store.DeliveryFilter, err error) {
	f.Limit = defaultLimit
	err = eachParameter(values, deliveryParameters, func(name, value string) (err error) {
		switch name {
		case "status":
			f.State, err = readDeliveryState(value)
		case "endpoint":
			f.Endpoint, err = readEndpoint(value)
		case "mediaId":
			f.Media, err = readBound(name, value)
		case "after":
			f.After, err = readDeliveryID(value)
		case "limit":
			f.Limit, err = readLimit(value)
		}
		return err
	})
	return f, err
}

func readDeliveryState(value string) (delivery.State, error) {
	state := delivery.State(strings.ToLower(value))
	if !slices.Contains(deliveryStates, state) {
		return "", parameterFault("status %.80q is unknown; use %s", value, fault.Choice(deliveryStates))
	}
	return state, nil
}

// longestEndpoint is the maximum length of an endpoint in a request.
const longestEndpoint = 4096

// readEndpoint parses a receiver as the lists show it.
func readEndpoint(value string) (string, error) {
	u, err := url.Parse(value)
	if err != nil || u.Scheme == "" || u.Host == "" || len(value) > longestEndpoint {
		return "", parameterFault("endpoint %.80q is not an address; use an endpoint as the list of deliveries shows it, "+
			"such as https://example.com/results", value)
	}
	return delivery.Callback{URL: value}.Endpoint(), nil
}

// deliveryPrefix begins the ids of deliveries, before a UUID.
const deliveryPrefix = "msg_"

func readDeliveryID(value string) (string, error) {
	text, ok := strings.CutPrefix(value, deliveryPrefix)
	id, err := uuid.Parse(text)
	if !ok || err != nil {
		return "", parameterFault("after %.80q is not a callbackId", value)
	}
	return deliveryPrefix + id.String(), nil
}

// listDeliveries answers with a page of the account's deliveries, newest first.
func (s *Server) listDeliveries(r *request) (any, error) {
	f, err := readDeliveries(r.query)
	if err != nil {
		return nil, err
	}
	var page []delivery.Delivery
	var after string
	var last map[string]store.LastTry
	err = s.Store.View(r.Context(), func(tx *store.Tx) (err error) {
		if page, after, err = tx.DeliveryPage(r.who.Account.ID, f); err != nil {
			return err
		}
		last, err = tx.LastTries(page)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := memory.Take(r.Context(), deliveryMemory*int64(len(page))); err != nil {
		return nil, err
	}
	shown := make([]wire.DeliverySummary, len(page))
	for i, d := range page {
		var try *delivery.Try
		t, tried := last[d.ID]
		if tried {
			try = &t.Try
		}
		shown[i] = wire.NewDeliverySummary(d, try, t.Tries)
	}
	here, next := wire.Href("callbacks"), ""
	if after != "" {
		next = here + queryString(following(r.query, true, after))
	}
	return wire.NewDeliveries(here+queryString(r.query), next, shown), nil
}

// retryShape lists the keys of a request to send deliveries again.
var retryShape = jsondoc.Fields(
	jsondoc.Field{Name: "endpoint", Shape: jsondoc.Text()},
	jsondoc.Field{Name: "since", Shape: jsondoc.Text()},
	jsondoc.Field{Name: "status", Shape: jsondoc.Text()},
)

// readRetry parses a request to send deliveries again; an empty body asks for all that failed.
func (s *Server) readRetry(r *request) (asked store.Retry, err error) {
	asked.Account, asked.State = r.who.Account.ID, delivery.Failed
	if asked.Key, err = idempotencyKey(r); err != nil {
		return asked, err
	}
	root, err := s.readObject(r, retryShape, fault.CodeParameter, `{"endpoint":"https://example.com/results","status":"failed"}`)
	if err != nil {
		return asked, err
	}
	if v := root.Get("endpoint").Text(); v != "" {
		if asked.Endpoint, err = readEndpoint(v); err != nil {
			return asked, err
		}
	}
	if v := root.Get("since").Text(); v != "" {
		if asked.Since, _, err = readDate("since", v); err != nil {
			return asked, err
		}
	}
	if v := root.Get("status").Text(); v != "" {
		if asked.State, err = readDeliveryState(v); err != nil {
			return asked, err
		}
	}
	if asked.State == delivery.Delivered && asked.Since.IsZero() {
		err = parameterFault("status delivered needs since: without it, everything that receivers accepted would be sent again")
	}
	return asked, err
}

// retryCallbacks starts a job that restarts the schedules of many deliveries.
func (s *Server) retryCallbacks(r *request) (any, error) {
	asked, err := s.readRetry(r)
	if err != nil {
		return nil, err
	}
	begun, err := callback.BeginRetry(r.Context(), s.Store, asked)
	if err != nil {
		return nil, err
	}
	visitOf(r.Context()).setResource("", begun.ID)
	return s.retryProgress(r, begun)
}

// getCallbackRetry answers with the progress of such a job.
func (s *Server) getCallbackRetry(r *request) (any, error) {
	begun, err := store.Read(r.Context(), s.Store, func(tx *store.Tx) (store.Retry, error) {
		return tx.Retry(r.who.Account.ID, r.PathValue("retryId"))
	})
	if err != nil {
		return nil, err
	}
	return s.retryProgress(r, begun)
}

// retryProgress renders a job with the present states of its deliveries.
func (s *Server) retryProgress(r *request, begun store.Retry) (any, error) {
	states, err := store.Read(r.Context(), s.Store, func(tx *store.Tx) (map[delivery.State]int64, error) {
		return tx.RetriedStates(begun.ID)
	})
	if err != nil {
		return nil, err
	}
	shown := wire.Retry{
		RetryID: begun.ID, Status: begun.Status, Done: begun.Done, DateStarted: wire.Time{Time: begun.Started},
		DateFinished: wire.Time{Time: begun.Finished}, Delivered: states[delivery.Delivered], Failed: states[delivery.Failed],
		Pending:   states[delivery.Pending],
		Callbacks: wire.Retried{Endpoint: begun.Endpoint, Since: wire.Time{Time: begun.Since}, Status: begun.State},
	}
	if begun.Total != store.Uncounted {
		shown.Total = &begun.Total
	}
	if !r.who.reads() && begun.Endpoint != "" {
		shown.Callbacks.Endpoint = delivery.Callback{URL: begun.Endpoint}.Origin()
	}
	return wire.NewRetry(shown), nil
}
