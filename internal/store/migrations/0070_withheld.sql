-- +goose Up
ALTER TABLE stream ADD COLUMN withheld BIGINT NOT NULL DEFAULT 0; -- 1: kept for processing alone, and never shown
CREATE INDEX stream_withheld ON stream (media) WHERE withheld = 1;

-- +goose Down
DROP INDEX stream_withheld;
ALTER TABLE stream DROP COLUMN withheld;
