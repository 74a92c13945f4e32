package client

import (
	"context"
	"io"
	"net/http"
	"net/url"
)

const classifiersPath = "/v3/definition/prediction/classifiers"

// TrainClassifier sends a training set, CSV or JSON, for a new version of a classifier, and returns the version, JSON.
func (c *Client) TrainClassifier(
	ctx context.Context, name, displayName string, set io.Reader,
) (body []byte, err error) {
	values := url.Values{}
	for parameter, value := range map[string]string{"classifierName": name, "classifierDisplayName": displayName} {
		if value != "" {
			values.Set(parameter, value)
		}
	}
	err = c.call(ctx, http.MethodPost, classifiersPath+"?"+values.Encode(), "", set, &body)
	return body, err
}

// Classifiers returns all versions of all classifiers, JSON.
func (c *Client) Classifiers(ctx context.Context) ([]byte, error) {
	return c.get(ctx, classifiersPath)
}

// Classifier returns a version of a classifier, JSON; the newest if the version is empty.
func (c *Client) Classifier(ctx context.Context, idOrName, version string) ([]byte, error) {
	return c.get(ctx, classifierPath(idOrName, version))
}

// DeleteClassifier deletes a version of a classifier; all if the version is empty.
func (c *Client) DeleteClassifier(ctx context.Context, idOrName, version string) error {
	return c.remove(ctx, classifierPath(idOrName, version))
}

func classifierPath(idOrName, version string) string {
	path := classifiersPath + "/" + url.PathEscape(idOrName)
	if version != "" {
		path += "?version=" + url.QueryEscape(version)
	}
	return path
}
