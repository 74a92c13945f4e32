-- +goose Up
CREATE TABLE reprocessing ( -- requests to process an item again, until their results take the place of the earlier ones
	media         TEXT PRIMARY KEY,
	configuration BYTEA NOT NULL,
	given         BYTEA NOT NULL,
	finished      BIGINT NOT NULL -- when the present result was published; 0: there is none
);

-- +goose Down
DROP TABLE reprocessing;
