-- +goose Up
CREATE TABLE category_version ( -- the versions that clients gave to their categories, each once in an account
	account TEXT NOT NULL,
	version TEXT NOT NULL,
	name    TEXT NOT NULL,
	PRIMARY KEY (account, version)
);

-- +goose Down
DROP TABLE category_version;
