-- Recordings that only the owner of a key can read are counted with each question about many calls.
-- +goose Up
CREATE INDEX media_sealing ON media (account, status, created) WHERE sealing <> '';

-- +goose Down
DROP INDEX media_sealing;
