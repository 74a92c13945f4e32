-- +goose Up
CREATE TABLE definition ( -- what accounts have saved
	account  TEXT NOT NULL,
	kind     TEXT NOT NULL,
	name     TEXT NOT NULL,
	version  BIGINT NOT NULL, -- rises with each change, and is above that of what was deleted
	sent     BYTEA NOT NULL,
	content  BYTEA NOT NULL,  -- what was understood
	created  BIGINT NOT NULL,
	modified BIGINT NOT NULL,
	PRIMARY KEY (account, kind, name)
);

-- +goose Down
DROP TABLE definition;
