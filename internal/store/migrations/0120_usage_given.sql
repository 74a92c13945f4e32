-- +goose Up
-- Of given transcripts nothing is recognised; they are counted apart.
ALTER TABLE usage ADD COLUMN given BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE usage DROP COLUMN given;
