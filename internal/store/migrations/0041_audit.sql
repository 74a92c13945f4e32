-- +goose Up
CREATE TABLE audit ( -- who did what; the id is a UUIDv7 of when
	id        TEXT PRIMARY KEY,
	account   TEXT NOT NULL,
	made_by   TEXT NOT NULL,
	token     TEXT NOT NULL,
	remote    TEXT NOT NULL,
	reference TEXT NOT NULL,
	action    TEXT NOT NULL,
	object    TEXT NOT NULL,
	media     TEXT NOT NULL,
	name      TEXT NOT NULL,
	outcome   TEXT NOT NULL,
	code      BIGINT NOT NULL
);
CREATE INDEX audit_account ON audit (account, id);
CREATE INDEX audit_media ON audit (account, media, id) WHERE media <> '';
CREATE INDEX audit_change ON audit (account, action, id) WHERE action <> 'read';

-- +goose Down
DROP TABLE audit;
