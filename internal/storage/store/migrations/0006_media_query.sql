-- +goose Up
-- The query of the media list reads the index of calls, too. Segments so far lack titles, descriptions and failed items:
-- all are built again. Servers of versions before have an index of their own for this query, which learns of changes
-- through index_pending; its tables are taken away when none of them runs (RemoveFormerIndex).
DELETE FROM segment;
DELETE FROM tombstone;
UPDATE analytic SET kept = 0 WHERE kept <> 0;
UPDATE call_index SET version = version + 1;

-- Failed items are found by title and description.
INSERT INTO analytic (media, account, change, indexed)
	SELECT id, account, 1, 0 FROM media WHERE searchable = 1 AND status IN ('failed', 'rejected')
	AND NOT EXISTS (SELECT 1 FROM analytic WHERE analytic.media = media.id);
INSERT INTO analytic_clock (account, change, removals)
	SELECT DISTINCT account, 1, 0 FROM analytic WHERE TRUE ON CONFLICT DO NOTHING;

CREATE INDEX analytic_stale ON analytic (account) WHERE change <> kept AND kept <> 0; -- changed by servers of version 4
