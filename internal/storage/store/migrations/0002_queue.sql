-- +goose Up
-- A claim costs the same whatever waits: it visits lanes that have something ready, by index, and locks these only.
DROP TABLE job_turn;
DROP INDEX job_ready;
DROP INDEX job_running;

CREATE TABLE job_lane ( -- lanes that have jobs, or had some lately; a row is locked by the claim that takes from its lane
	kind    TEXT NOT NULL,
	account TEXT NOT NULL,
	lane    TEXT NOT NULL,
	awake   BIGINT NOT NULL,           -- 1: claims visit the lane, because it has jobs that are ready
	due     BIGINT NOT NULL,           -- when a sleeping lane is looked at next
	looks   BIGINT NOT NULL DEFAULT 0, -- how often nothing was found since it fell asleep
	PRIMARY KEY (kind, account, lane)
);
CREATE INDEX job_lane_awake ON job_lane (kind, account, lane) WHERE awake = 1;
CREATE INDEX job_lane_due ON job_lane (due) WHERE awake = 0;

-- Jobs that are not due yet are 'later'. Those of before are looked at once.
UPDATE job SET state = 'later' WHERE state = 'ready';
INSERT INTO job_lane (kind, account, lane, awake, due)
	SELECT DISTINCT kind, account, lane, 0, 0 FROM job WHERE state <> 'dead';
CREATE INDEX job_ready ON job (kind, account, lane, rank, id) WHERE state = 'ready';
CREATE INDEX job_later ON job (kind, account, lane, run_at) WHERE state = 'later';
CREATE INDEX job_running ON job (kind, account, lane) WHERE state = 'running';
