package s3

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"parley/internal/words/fault"
)

// tries is the number of attempts per request; after that the store counts as unavailable, and callers retry later.
const tries = 3

// Open returns the store at an address like
//
//	s3://bucket/prefix?region=eu-central-1&endpoint=https://s3.example.com&path_style=true
//
// in which everything except the bucket is optional: the default endpoint is Amazon's in the region. An endpoint
// without a scheme uses https. Credentials come from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN,
// from the shared credentials file, or from the machine's role. Open sends no request; see Check. An error is a fault
// of kind Invalid.
func Open(address string) (*Store, error) {
	a, err := parse(address)
	if err != nil {
		return nil, err
	}
	return a.open(environment())
}

// place is a parsed address.
type place struct {
	bucket, prefix, region, host string
	secure                       bool
	lookup                       minio.BucketLookupType
}

func parse(address string) (*place, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "s3" || u.Host == "" || u.Port() != "" || u.User != nil || u.Fragment != "" {
		return nil, malformed("it must have the form s3://bucket/prefix?region=…; credentials are taken from the " +
			"environment")
	}
	a := &place{bucket: u.Host, host: "s3.amazonaws.com", secure: true}
	if prefix := strings.Trim(u.Path, "/"); prefix != "" {
		a.prefix = prefix + "/"
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, malformed("its query is invalid")
	}
	for name, values := range query {
		if err := a.set(name, values[len(values)-1]); err != nil {
			return nil, err
		}
	}
	return a, nil
}

func (a *place) set(name, value string) error {
	switch name {
	case "region":
		a.region = value
	case "endpoint":
		return a.setEndpoint(value)
	case "path_style":
		pathStyle, err := strconv.ParseBool(value)
		if err != nil {
			return malformed("path_style must be true or false, not " + strconv.Quote(value))
		}
		a.lookup = minio.BucketLookupDNS
		if pathStyle {
			a.lookup = minio.BucketLookupPath
		}
	default:
		return malformed("unknown parameter " + strconv.Quote(name) +
			"; the parameters are region, endpoint and path_style")
	}
	return nil
}

func (a *place) setEndpoint(value string) error {
	if !strings.Contains(value, "://") {
		value = "https://" + value
	}
	u, err := url.Parse(value)
	if err != nil || u.Host == "" || u.User != nil || strings.Trim(u.Path, "/") != "" ||
		(u.Scheme != "http" && u.Scheme != "https") {
		return malformed("the endpoint must have the form https://host or https://host:port")
	}
	a.host, a.secure = u.Host, u.Scheme == "https"
	return nil
}

// environment finds credentials in the order of Amazon's own tools.
func environment() *credentials.Credentials {
	return credentials.NewChainCredentials([]credentials.Provider{
		&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}, &credentials.IAM{},
	})
}

func (a *place) open(creds *credentials.Credentials) (*Store, error) {
	transport, err := minio.DefaultTransport(a.secure)
	if err != nil {
		return nil, malformed(err.Error())
	}
	limit(transport)
	client, err := minio.New(a.host, &minio.Options{
		Creds: creds, Secure: a.secure, Region: a.region, BucketLookup: a.lookup, MaxRetries: tries,
		Transport: transport,
	})
	if err != nil {
		return nil, malformed(err.Error())
	}
	return &Store{client: minio.Core{Client: client}, bucket: a.bucket, prefix: a.prefix}, nil
}

// limit sets timeouts, so that an unresponsive server cannot block a request forever.
func limit(t *http.Transport) {
	t.ResponseHeaderTimeout = 30 * time.Second
	t.MaxIdleConnsPerHost = 64
}

func malformed(why string) error {
	return fault.New(fault.Invalid, fault.CodeParameter, "invalid address of the blob store: %s", why)
}
