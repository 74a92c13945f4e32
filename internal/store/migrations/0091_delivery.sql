-- +goose Up
CREATE TABLE delivery (
	id        TEXT PRIMARY KEY,
	account   TEXT NOT NULL,
	media     TEXT NOT NULL,
	position  BIGINT NOT NULL,
	url       TEXT NOT NULL,
	method    TEXT NOT NULL,
	type      TEXT NOT NULL,
	include   TEXT NOT NULL, -- comma between; empty: not given
	format    TEXT NOT NULL,
	stream    TEXT NOT NULL,
	state     TEXT NOT NULL,
	began     BIGINT NOT NULL,
	attempt   BIGINT NOT NULL,
	tried     BIGINT NOT NULL,
	next      BIGINT NOT NULL,
	done      BIGINT NOT NULL
);
CREATE INDEX delivery_media ON delivery (media);
CREATE INDEX delivery_account ON delivery (account);

CREATE TABLE delivery_try (
	delivery TEXT NOT NULL,
	n        BIGINT NOT NULL,
	media    TEXT NOT NULL,
	attempt  BIGINT NOT NULL,
	at       BIGINT NOT NULL,
	took     BIGINT NOT NULL,
	status   BIGINT NOT NULL,
	error    TEXT NOT NULL,
	answer   BYTEA NOT NULL,
	PRIMARY KEY (delivery, n)
);
CREATE INDEX delivery_try_media ON delivery_try (media);

CREATE TABLE endpoint ( -- receivers that do not take what is sent to them
	account  TEXT NOT NULL,
	address  TEXT NOT NULL,
	since    BIGINT NOT NULL,
	failures BIGINT NOT NULL,
	at       BIGINT NOT NULL, -- the last try, and what came of it
	took     BIGINT NOT NULL,
	status   BIGINT NOT NULL,
	error    TEXT NOT NULL,
	PRIMARY KEY (account, address)
);

CREATE TABLE callback_secret (
	id      TEXT PRIMARY KEY,
	account TEXT NOT NULL,
	secret  BYTEA NOT NULL,
	created BIGINT NOT NULL
);
CREATE INDEX callback_secret_account ON callback_secret (account);

-- +goose Down
DROP TABLE callback_secret;
DROP TABLE endpoint;
DROP TABLE delivery_try;
DROP TABLE delivery;
