-- +goose Up
ALTER TABLE account ADD COLUMN time_to_live BIGINT; -- NULL: the server's default; 0: keep
CREATE INDEX stream_blob ON stream (blob);

-- +goose Down
DROP INDEX stream_blob;
ALTER TABLE account DROP COLUMN time_to_live;
