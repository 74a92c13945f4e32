-- One text for both databases: SQLite takes BIGINT for INTEGER and keeps bytes in BYTEA columns as they are.
-- Times and durations are microseconds, 0 for none.
-- +goose Up
CREATE TABLE account (
	id       TEXT PRIMARY KEY,
	name     TEXT NOT NULL UNIQUE,
	created  BIGINT NOT NULL,
	disabled BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE token (
	id          TEXT PRIMARY KEY,
	account     TEXT NOT NULL,
	hash        BYTEA NOT NULL UNIQUE, -- SHA-256 of the secret
	last_six    TEXT NOT NULL,
	description TEXT NOT NULL,
	scopes      TEXT NOT NULL,
	issued      BIGINT NOT NULL,
	expires     BIGINT NOT NULL,
	last_used   BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX token_account ON token (account);

-- The id is a UUIDv7 whose time is created, so the order of ids is the order of creation.
CREATE TABLE media (
	id               TEXT PRIMARY KEY,
	account          TEXT NOT NULL,
	status           TEXT NOT NULL,
	created          BIGINT NOT NULL,
	finished         BIGINT NOT NULL DEFAULT 0,
	length           BIGINT NOT NULL DEFAULT 0,
	content_type     TEXT NOT NULL,
	size             BIGINT NOT NULL,
	sha256           TEXT NOT NULL,
	source_url       TEXT NOT NULL,
	priority         BIGINT NOT NULL,
	time_to_live     BIGINT NOT NULL,
	expires          BIGINT NOT NULL DEFAULT 0,
	generation       BIGINT NOT NULL DEFAULT 0, -- how often it was reprocessed
	external_id      TEXT,
	metadata         BYTEA,                     -- as sent; NULL: none
	metadata_version BIGINT NOT NULL DEFAULT 1,
	problems         BYTEA NOT NULL,
	warnings         BYTEA NOT NULL
);
CREATE INDEX media_account ON media (account, id);
CREATE INDEX media_status ON media (account, status, id);
CREATE INDEX media_external ON media (account, external_id, id) WHERE external_id IS NOT NULL;
CREATE INDEX media_expires ON media (expires) WHERE expires > 0;

CREATE TABLE media_request ( -- what was asked for, as sent
	media         TEXT PRIMARY KEY,
	configuration BYTEA NOT NULL,
	definitions   BYTEA NOT NULL
);

CREATE TABLE stream (
	media        TEXT NOT NULL,
	name         TEXT NOT NULL,
	blob         TEXT NOT NULL,
	content_type TEXT NOT NULL,
	size         BIGINT NOT NULL,
	PRIMARY KEY (media, name)
);

CREATE TABLE artifact ( -- what steps have found while an item is processed
	media TEXT NOT NULL,
	step  TEXT NOT NULL,
	key   TEXT NOT NULL,
	data  BYTEA NOT NULL,
	PRIMARY KEY (media, step, key)
);

CREATE TABLE result (
	media      TEXT PRIMARY KEY,
	version    BIGINT NOT NULL,
	transcript BYTEA NOT NULL,
	result     BYTEA NOT NULL
);

CREATE TABLE progress (
	media TEXT PRIMARY KEY,
	data  BYTEA NOT NULL
);

CREATE TABLE idempotency (
	account TEXT NOT NULL,
	key     TEXT NOT NULL,
	media   TEXT NOT NULL,
	hash    BYTEA NOT NULL,
	created BIGINT NOT NULL,
	PRIMARY KEY (account, key)
);
CREATE INDEX idempotency_media ON idempotency (media);
CREATE INDEX idempotency_created ON idempotency (created);

CREATE TABLE usage (
	account   TEXT NOT NULL,
	day       TEXT NOT NULL, -- YYYY-MM-DD in UTC
	processed BIGINT NOT NULL,
	PRIMARY KEY (account, day)
);

CREATE TABLE setting (
	name  TEXT PRIMARY KEY,
	value BYTEA NOT NULL
);

CREATE TABLE job (
	id            TEXT PRIMARY KEY,
	kind          TEXT NOT NULL,
	account       TEXT NOT NULL,
	subject       TEXT NOT NULL,
	priority      BIGINT NOT NULL,
	payload       BYTEA NOT NULL,
	state         TEXT NOT NULL,
	attempts      BIGINT NOT NULL DEFAULT 0,
	max_attempts  BIGINT NOT NULL,
	interruptions BIGINT NOT NULL DEFAULT 0,
	stalls        BIGINT NOT NULL DEFAULT 0,
	fence         BIGINT NOT NULL DEFAULT 0,
	rank          BIGINT NOT NULL, -- order within an account: due time moved by priority
	run_at        BIGINT NOT NULL,
	created       BIGINT NOT NULL,
	last_error    TEXT NOT NULL DEFAULT '',
	worker        TEXT NOT NULL DEFAULT '',
	lease_until   BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX job_ready ON job (kind, account, rank, id) WHERE state = 'ready';
CREATE INDEX job_running ON job (kind, account) WHERE state = 'running';
CREATE INDEX job_subject ON job (subject);
CREATE INDEX job_created ON job (created, id);

CREATE TABLE job_turn ( -- when each account was served last, as a counter
	kind    TEXT NOT NULL,
	account TEXT NOT NULL,
	served  BIGINT NOT NULL,
	PRIMARY KEY (kind, account)
);

-- +goose Down
DROP TABLE job_turn;
DROP TABLE job;
DROP TABLE setting;
DROP TABLE usage;
DROP TABLE idempotency;
DROP TABLE progress;
DROP TABLE result;
DROP TABLE artifact;
DROP TABLE stream;
DROP TABLE media_request;
DROP TABLE media;
DROP TABLE token;
DROP TABLE account;
