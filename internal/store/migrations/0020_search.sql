-- +goose Up
ALTER TABLE media ADD COLUMN searchable BIGINT NOT NULL DEFAULT -1; -- whether it shows in queries, decided when it is published: 1 yes, 0 no, -1 not decided yet

CREATE TABLE index_pending ( -- what the search index has not taken over yet: published, changed and deleted items
	media   TEXT PRIMARY KEY,
	account TEXT NOT NULL,
	change  BIGINT NOT NULL -- counts the changes that wait
);
CREATE INDEX index_pending_account ON index_pending (account, media);
CREATE INDEX media_undecided ON media (id) WHERE searchable = -1;
CREATE INDEX media_searchable ON media (id) WHERE searchable = 1;

-- What was published before there was a search.
INSERT INTO index_pending (media, account, change) SELECT id, account, 1 FROM media WHERE id IN (SELECT media FROM result);

-- +goose Down
DROP INDEX media_searchable;
DROP INDEX media_undecided;
DROP TABLE index_pending;
ALTER TABLE media DROP COLUMN searchable;
