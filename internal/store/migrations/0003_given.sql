-- +goose Up
ALTER TABLE media_request RENAME COLUMN definitions TO given; -- the transcript that came with the recording

-- +goose Down
ALTER TABLE media_request RENAME COLUMN given TO definitions;
