-- +goose Up
-- What is made from a recording for players (peaks, playable) is a stream that says which blob it was made from: once
-- the recording is replaced, for example by a redacted one, it is not used any more, whatever server replaced it.
ALTER TABLE stream ADD COLUMN source TEXT NOT NULL DEFAULT '';
ALTER TABLE stream ADD COLUMN unplayable BIGINT NOT NULL DEFAULT 0; -- of peaks: browsers cannot play the recording well
