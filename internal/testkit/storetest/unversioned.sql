CREATE TABLE goose_db_version (
	id         BIGINT PRIMARY KEY,
	version_id BIGINT NOT NULL,
	is_applied BOOLEAN NOT NULL
);
INSERT INTO goose_db_version (id, version_id, is_applied) VALUES (1, 0, TRUE), (2, 1, TRUE);

CREATE TABLE account (
	id       TEXT PRIMARY KEY,
	name     TEXT NOT NULL UNIQUE,
	created  BIGINT NOT NULL,
	disabled BIGINT NOT NULL DEFAULT 0
);
INSERT INTO account (id, name, created) VALUES ('a', 'acme', 1);

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
	generation       BIGINT NOT NULL DEFAULT 0,
	external_id      TEXT,
	metadata         BYTEA,
	metadata_version BIGINT NOT NULL DEFAULT 1,
	problems         BYTEA NOT NULL,
	warnings         BYTEA NOT NULL
);
CREATE INDEX media_account ON media (account, id);
CREATE INDEX media_status ON media (account, status, id);
