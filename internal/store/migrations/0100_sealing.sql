-- +goose Up
-- Streams are stored under keys of their own (NULL: as they are). Items that are to be sealed for their owner have a data
-- key until they are (sealing is the public key's id and hash, empty for others).
ALTER TABLE stream ADD COLUMN key BYTEA;
ALTER TABLE media ADD COLUMN sealing TEXT NOT NULL DEFAULT '';
ALTER TABLE media ADD COLUMN data_key BYTEA;

CREATE TABLE sealed ( -- the whole item, as an OpenPGP message
	media    TEXT PRIMARY KEY,
	document BYTEA NOT NULL
);

CREATE TABLE delivery_body ( -- of deliveries of sealed items
	delivery TEXT PRIMARY KEY,
	media    TEXT NOT NULL,
	body     BYTEA NOT NULL
);
CREATE INDEX delivery_body_media ON delivery_body (media);

CREATE TABLE public_key (
	id      TEXT PRIMARY KEY,
	account TEXT NOT NULL,
	content BYTEA NOT NULL, -- as it was given
	created BIGINT NOT NULL
);
CREATE INDEX public_key_account ON public_key (account);

-- +goose Down
DROP TABLE public_key;
DROP TABLE delivery_body;
DROP TABLE sealed;
ALTER TABLE media DROP COLUMN data_key;
ALTER TABLE media DROP COLUMN sealing;
ALTER TABLE stream DROP COLUMN key;
