-- Which attempt of its delivery the last try of a failing receiver was.
-- +goose Up
ALTER TABLE endpoint ADD COLUMN attempt BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE endpoint DROP COLUMN attempt;
