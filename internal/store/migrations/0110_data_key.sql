-- +goose Up
-- Data keys stand alone, in a table that is small at any time: it can be written anew, so that nothing is left of those
-- that were destroyed.
CREATE TABLE data_key (
	media TEXT PRIMARY KEY,
	key   BYTEA NOT NULL
);
INSERT INTO data_key (media, key) SELECT id, data_key FROM media WHERE data_key IS NOT NULL;
ALTER TABLE media DROP COLUMN data_key;

-- +goose Down
ALTER TABLE media ADD COLUMN data_key BYTEA;
UPDATE media SET data_key = (SELECT key FROM data_key WHERE data_key.media = media.id);
DROP TABLE data_key;
