-- +goose Up
-- Servers of two versions can run side by side from here on. A migration expands: programs of the version before can use
-- its tables. What they use is taken away a version later, by a migration that says who can use the tables after it:
--   UPDATE schema_needs SET version = N;
-- It waits until no server runs that knows only versions below N.
CREATE TABLE schema_needs ( -- one row
	version BIGINT NOT NULL -- programs that know this version, or a later one, can use the tables
);
INSERT INTO schema_needs (version) VALUES (3);

ALTER TABLE node ADD COLUMN tables BIGINT NOT NULL DEFAULT 2; -- the latest version that the server's program knows
