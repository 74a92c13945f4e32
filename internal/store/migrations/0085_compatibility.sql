-- +goose Up
ALTER TABLE account ADD COLUMN compat_score_as_number BIGINT NOT NULL DEFAULT 0; -- 1: the score of keyword groups is a number

-- +goose Down
ALTER TABLE account DROP COLUMN compat_score_as_number;
