-- +goose Up
CREATE TABLE classifier ( -- versions of what accounts have trained
	account  TEXT NOT NULL,
	id       TEXT NOT NULL,   -- of all versions
	version  BIGINT NOT NULL,
	name     TEXT NOT NULL,
	folded   TEXT NOT NULL,   -- the name without case
	display  TEXT NOT NULL,
	status   TEXT NOT NULL,
	percent  BIGINT NOT NULL,
	created  BIGINT NOT NULL,
	finished BIGINT NOT NULL,
	removed  BIGINT NOT NULL, -- when it was deleted; it stays for recordings that wait with it
	problems BYTEA NOT NULL,
	card     BYTEA NOT NULL,  -- labels and quality
	examples BYTEA NOT NULL,  -- what it is trained from; empty once it is
	model    BYTEA NOT NULL,
	PRIMARY KEY (id, version)
);
CREATE INDEX classifier_account ON classifier (account, folded);
CREATE INDEX classifier_removed ON classifier (removed) WHERE removed > 0;

CREATE TABLE classifier_use ( -- what recordings wait with
	media      TEXT NOT NULL,
	classifier TEXT NOT NULL,
	version    BIGINT NOT NULL,
	PRIMARY KEY (media, classifier, version)
);
CREATE INDEX classifier_use_of ON classifier_use (classifier, version);

-- +goose Down
DROP TABLE classifier_use;
DROP TABLE classifier;
