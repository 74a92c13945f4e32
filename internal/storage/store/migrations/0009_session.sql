-- +goose Up
-- Browsers that have signed in. A row is valid while its token is, so a token that a server of an earlier version
-- revokes ends its sessions, too.
CREATE TABLE session (
	id        TEXT PRIMARY KEY,
	account   TEXT NOT NULL,
	token     TEXT NOT NULL,
	hash      BYTEA NOT NULL UNIQUE, -- SHA-256 of the cookie's secret
	created   BIGINT NOT NULL,
	last_used BIGINT NOT NULL
);
CREATE INDEX session_account ON session (account, created);
CREATE INDEX session_token ON session (token, last_used);
CREATE INDEX session_created ON session (created);
CREATE INDEX session_used ON session (last_used);

CREATE TABLE sign_in_link ( -- signs in once
	hash    BYTEA PRIMARY KEY, -- SHA-256 of the link's secret
	account TEXT NOT NULL,
	token   TEXT NOT NULL,
	expires BIGINT NOT NULL
);
CREATE INDEX sign_in_link_account ON sign_in_link (account);
CREATE INDEX sign_in_link_token ON sign_in_link (token);
CREATE INDEX sign_in_link_expires ON sign_in_link (expires);

ALTER TABLE audit ADD COLUMN session TEXT NOT NULL DEFAULT ''; -- id; empty: no browser sent the request
