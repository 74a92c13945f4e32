-- +goose Up
CREATE TABLE analytic ( -- the items that queries over many calls look at: all that are finished and can be read
	media   TEXT PRIMARY KEY,
	account TEXT NOT NULL,
	change  BIGINT NOT NULL, -- of the account's clock, when it was last published or changed
	indexed BIGINT NOT NULL  -- whether it was posted for the analytic database; 0: only categories are tried on it
);
CREATE INDEX analytic_account ON analytic (account, change);

CREATE TABLE analytic_clock (
	account  TEXT PRIMARY KEY,
	change   BIGINT NOT NULL, -- counts what is published and changed
	removals BIGINT NOT NULL  -- counts what is deleted
);

INSERT INTO analytic (media, account, change, indexed)
	SELECT media.id, media.account, ROW_NUMBER() OVER (PARTITION BY media.account ORDER BY media.id), 0
	FROM media JOIN result ON result.media = media.id;
INSERT INTO analytic_clock (account, change, removals) SELECT account, COUNT(*), 0 FROM analytic GROUP BY account;

-- +goose Down
DROP TABLE analytic_clock;
DROP TABLE analytic;
