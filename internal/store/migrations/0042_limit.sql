-- +goose Up
ALTER TABLE account ADD COLUMN max_storage BIGINT; -- bytes; NULL: as the operator has it; 0: no limit
ALTER TABLE account ADD COLUMN max_rate BIGINT;    -- requests a second, likewise

CREATE TABLE storage ( -- bytes of an account's streams; several rows, so that uploads do not wait for each other
	account TEXT NOT NULL,
	shard   BIGINT NOT NULL,
	bytes   BIGINT NOT NULL,
	PRIMARY KEY (account, shard)
);
INSERT INTO storage (account, shard, bytes)
	SELECT media.account, 0, SUM(stream.size) FROM stream JOIN media ON media.id = stream.media GROUP BY media.account;

-- +goose Down
DROP TABLE storage;
ALTER TABLE account DROP COLUMN max_rate;
ALTER TABLE account DROP COLUMN max_storage;
