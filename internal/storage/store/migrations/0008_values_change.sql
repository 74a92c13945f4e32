-- +goose Up
-- Segments have their values in a file of their own from here on, and calls whose values change keep their words in the
-- segment: servers of version 6 know neither.
UPDATE schema_needs SET version = 7;

-- What servers of version 4 have changed without burying the revision that a segment has is indexed again.
INSERT INTO tombstone (account, media, revision, at)
	SELECT account, media, kept, 0 FROM analytic WHERE kept <> 0 AND change <> kept AND change <> valued ON CONFLICT DO NOTHING;
UPDATE analytic SET kept = 0 WHERE kept <> 0 AND change <> kept AND change <> valued;

-- What servers of version 4 have deleted without a tombstone is found when the segments are compared with the calls.
UPDATE segment SET lost = 1 WHERE account IN (SELECT call_index.account FROM call_index JOIN analytic_clock
	ON analytic_clock.account = call_index.account WHERE call_index.removals <> analytic_clock.removals);

-- Only servers up to version 7 use these. A later version takes them away, and analytic_clock.
DELETE FROM analytic_removal;
DELETE FROM index_pending;
DELETE FROM setting WHERE name IN ('search-index', 'search-rebuild');

DROP INDEX analytic_waiting;
DROP INDEX analytic_stale;
