-- +goose Up
ALTER TABLE token ADD COLUMN ephemeral BIGINT NOT NULL DEFAULT 0; -- forgotten when it expires
CREATE INDEX token_ephemeral ON token (expires) WHERE ephemeral = 1;

-- +goose Down
DROP INDEX token_ephemeral;
ALTER TABLE token DROP COLUMN ephemeral;
