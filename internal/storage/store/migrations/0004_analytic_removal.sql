-- +goose Up
-- Readers learn of deletions one by one. Servers of version 3 delete without a row here, which readers notice.
CREATE TABLE analytic_removal ( -- items that were deleted lately
	account TEXT NOT NULL,
	removal BIGINT NOT NULL, -- how many were deleted until then, of the account's clock
	media   TEXT NOT NULL,
	at      BIGINT NOT NULL,
	PRIMARY KEY (account, removal, media)
);
CREATE INDEX analytic_removal_at ON analytic_removal (at);
