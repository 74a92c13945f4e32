-- +goose Up
-- Clients follow the changes of recordings. A transaction that changes one leaves a row here without a number; one server
-- at a time numbers what is committed. So numbers appear in their order, however long a transaction takes. Servers of
-- versions before leave no rows.
CREATE TABLE media_change ( -- the last change of each recording that changed lately
	media   TEXT PRIMARY KEY,
	account TEXT NOT NULL,
	number  BIGINT NOT NULL, -- the time in microseconds when it was numbered, or one more than the last; 0: not yet
	deleted BIGINT NOT NULL
);
CREATE INDEX media_change_new ON media_change (media) WHERE number = 0;
CREATE INDEX media_change_number ON media_change (number) WHERE number > 0;
CREATE INDEX media_change_account ON media_change (account, number) WHERE number > 0;

CREATE TABLE media_clock ( -- one row, which is locked by the server that numbers or forgets
	number    BIGINT NOT NULL, -- the last number
	forgotten BIGINT NOT NULL  -- changes up to this number may be missing
);
INSERT INTO media_clock (number, forgotten) VALUES (0, 0);

-- Deliveries are listed by account and state, newest first, and sent again by the thousand.
CREATE INDEX delivery_account_id ON delivery (account, id);
CREATE INDEX delivery_state ON delivery (account, state, id);
ALTER TABLE delivery ADD COLUMN retry TEXT NOT NULL DEFAULT ''; -- the last callback_retry that restarted it
CREATE INDEX delivery_retry ON delivery (retry, state) WHERE retry <> '';

CREATE TABLE callback_retry ( -- requests to restart the schedule of many deliveries
	id       TEXT PRIMARY KEY,
	account  TEXT NOT NULL,
	key      TEXT NOT NULL,  -- Idempotency-Key; empty: none
	endpoint TEXT NOT NULL,  -- empty: all
	since    BIGINT NOT NULL,
	state    TEXT NOT NULL,  -- of the deliveries
	status   TEXT NOT NULL,  -- running, finished or failed
	total    BIGINT NOT NULL, -- -1: not counted yet
	done     BIGINT NOT NULL,
	place    TEXT NOT NULL,  -- the last delivery that was looked at
	started  BIGINT NOT NULL,
	finished BIGINT NOT NULL
);
CREATE UNIQUE INDEX callback_retry_running ON callback_retry (account, endpoint, since, state) WHERE status = 'running';
CREATE UNIQUE INDEX callback_retry_key ON callback_retry (account, key) WHERE key <> '';
CREATE INDEX callback_retry_finished ON callback_retry (finished) WHERE finished > 0;
