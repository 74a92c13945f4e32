-- +goose Up
-- Deliveries to one receiver share a lane; other work goes by its account as before.
ALTER TABLE job ADD COLUMN lane TEXT NOT NULL DEFAULT '';
UPDATE job SET lane = account;
DROP INDEX job_ready;
DROP INDEX job_running;
CREATE INDEX job_ready ON job (kind, lane, rank, id) WHERE state = 'ready';
CREATE INDEX job_running ON job (kind, lane) WHERE state = 'running';
DROP TABLE job_turn;
CREATE TABLE job_turn ( -- when each lane was served last, as a counter
	kind    TEXT NOT NULL,
	lane    TEXT NOT NULL,
	account TEXT NOT NULL,
	served  BIGINT NOT NULL,
	PRIMARY KEY (kind, lane)
);
CREATE INDEX job_turn_served ON job_turn (served);

-- +goose Down
DROP TABLE job_turn;
CREATE TABLE job_turn (
	kind    TEXT NOT NULL,
	account TEXT NOT NULL,
	served  BIGINT NOT NULL,
	PRIMARY KEY (kind, account)
);
DROP INDEX job_running;
DROP INDEX job_ready;
ALTER TABLE job DROP COLUMN lane;
CREATE INDEX job_ready ON job (kind, account, rank, id) WHERE state = 'ready';
CREATE INDEX job_running ON job (kind, account) WHERE state = 'running';
