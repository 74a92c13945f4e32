-- +goose Up
-- The values of the fields of a segment's calls may be a blob of their own, which is replaced when values change; the
-- words stay. This version reads such segments; a later one writes them.
ALTER TABLE segment ADD COLUMN values_blob TEXT NOT NULL DEFAULT ''; -- empty: the values are in blob
ALTER TABLE segment ADD COLUMN values_size BIGINT NOT NULL DEFAULT 0;
ALTER TABLE segment ADD COLUMN values_sum BYTEA;
ALTER TABLE segment ADD COLUMN values_key BYTEA;
CREATE INDEX segment_values_blob ON segment (values_blob) WHERE values_blob <> '';

-- The revision whose values the segment has that has the words of the revision "kept"; 0: those of "kept".
ALTER TABLE analytic ADD COLUMN valued BIGINT NOT NULL DEFAULT 0;
CREATE INDEX analytic_unkept ON analytic (account, media) WHERE kept = 0; -- no segment has these calls
CREATE INDEX analytic_touched ON analytic (account, change) WHERE kept <> 0 AND change <> kept AND change <> valued;
