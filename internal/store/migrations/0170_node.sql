-- +goose Up
-- The servers that run on this database. A row that was not renewed for a minute is of one that has died.
CREATE TABLE node (
	id    TEXT PRIMARY KEY,
	name  TEXT NOT NULL, -- host and process
	role  TEXT NOT NULL,
	keys  TEXT NOT NULL, -- ids of its storage keys, the first one wraps; space between
	blobs TEXT NOT NULL, -- where it keeps recordings
	seen  BIGINT NOT NULL
);
-- Whether anything is kept under a storage key is asked often. Only the ids of storage keys stand in the index.
CREATE INDEX stream_storage_key ON stream (substr(key, 1, 9)) WHERE length(key) <> 32;

-- +goose Down
DROP INDEX stream_storage_key;
DROP TABLE node;
