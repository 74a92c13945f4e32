-- +goose Up
-- The index of calls: segments in the blob store, which all servers share. A call is in a segment in force as of its
-- revision "kept", or in none (0). Servers of the version before change and delete rows of analytic without noting that
-- here: changes show by themselves, deletions by the count of removals.
ALTER TABLE analytic ADD COLUMN kept BIGINT NOT NULL DEFAULT 0;
CREATE INDEX analytic_waiting ON analytic (account, media) WHERE change <> kept;

CREATE TABLE call_index ( -- of each account that has, or had, segments
	account  TEXT PRIMARY KEY,
	version  BIGINT NOT NULL, -- counts changes of the set of segments: of two that began with the same set, one takes effect
	removals BIGINT NOT NULL  -- how many deletions that analytic_clock counts have their tombstones
);

CREATE TABLE segment ( -- those in force
	id      TEXT PRIMARY KEY,
	account TEXT NOT NULL,
	blob    TEXT NOT NULL,
	size    BIGINT NOT NULL, -- bytes, before encryption
	sum     BYTEA NOT NULL,  -- SHA-256 of the blob
	calls   BIGINT NOT NULL,
	oldest  TEXT NOT NULL,   -- the first and the last call by id
	newest  TEXT NOT NULL,
	key     BYTEA,           -- of the blob; NULL: it is not encrypted
	lost    BIGINT NOT NULL DEFAULT 0 -- 1: the blob is gone or corrupt
);
CREATE INDEX segment_account ON segment (account);
CREATE INDEX segment_blob ON segment (blob);
CREATE INDEX segment_lost ON segment (account) WHERE lost = 1;

CREATE TABLE tombstone ( -- calls in segments that are deleted, or there as of an earlier revision
	account  TEXT NOT NULL,
	media    TEXT NOT NULL,
	revision BIGINT NOT NULL,
	at       BIGINT NOT NULL,
	PRIMARY KEY (account, media, revision)
);
CREATE INDEX tombstone_at ON tombstone (at);
