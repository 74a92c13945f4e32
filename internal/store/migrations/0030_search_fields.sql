-- +goose Up
ALTER TABLE media ADD COLUMN search_fields BYTEA; -- paths of metadata, one a line, as they were defined when it was published

CREATE TABLE media_field ( -- what the metadata has at those paths
	account TEXT NOT NULL,
	field   TEXT NOT NULL,
	value   BYTEA NOT NULL, -- digest of the text, which may be of any length
	media   TEXT NOT NULL,
	PRIMARY KEY (account, field, value, media)
);
CREATE INDEX media_field_media ON media_field (media);

-- +goose Down
DROP TABLE media_field;
ALTER TABLE media DROP COLUMN search_fields;
