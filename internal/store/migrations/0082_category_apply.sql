-- +goose Up
CREATE TABLE category_apply ( -- categories that are judged again for what was published before
	id        TEXT PRIMARY KEY,
	account   TEXT NOT NULL,
	category  TEXT NOT NULL,
	condition TEXT NOT NULL, -- as it was when this was asked for
	status    TEXT NOT NULL, -- running, finished or failed
	total     BIGINT NOT NULL,
	done      BIGINT NOT NULL,
	matched   BIGINT NOT NULL,
	place     TEXT NOT NULL, -- the last item that is done
	started   BIGINT NOT NULL,
	finished  BIGINT NOT NULL
);
CREATE UNIQUE INDEX category_apply_running ON category_apply (account, category) WHERE status = 'running';
CREATE INDEX category_apply_account ON category_apply (account, category, started);

-- +goose Down
DROP TABLE category_apply;
