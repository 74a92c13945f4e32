-- One text for both databases: SQLite takes BIGINT for INTEGER and keeps bytes in BYTEA columns as they are.
-- Times and durations are microseconds, 0 for none.
-- +goose Up
CREATE TABLE account (
	id                     TEXT PRIMARY KEY,
	name                   TEXT NOT NULL UNIQUE,
	created                BIGINT NOT NULL,
	disabled               BIGINT NOT NULL DEFAULT 0,
	max_storage            BIGINT,                   -- bytes; NULL: as the operator has it; 0: no limit
	max_rate               BIGINT,                   -- requests a second, likewise
	time_to_live           BIGINT,                   -- NULL: the server's default; 0: keep
	compat_score_as_number BIGINT NOT NULL DEFAULT 0 -- 1: the score of keyword groups is a number
);

CREATE TABLE token (
	id          TEXT PRIMARY KEY,
	account     TEXT NOT NULL,
	hash        BYTEA NOT NULL UNIQUE, -- SHA-256 of the secret
	last_six    TEXT NOT NULL,
	description TEXT NOT NULL,
	scopes      TEXT NOT NULL,
	issued      BIGINT NOT NULL,
	expires     BIGINT NOT NULL,
	last_used   BIGINT NOT NULL DEFAULT 0,
	ephemeral   BIGINT NOT NULL DEFAULT 0 -- 1: forgotten when it expires
);
CREATE INDEX token_account ON token (account);
CREATE INDEX token_ephemeral ON token (expires) WHERE ephemeral = 1;

-- The id is a UUIDv7 whose time is created, so the order of ids is the order of creation.
CREATE TABLE media (
	id               TEXT PRIMARY KEY,
	account          TEXT NOT NULL,
	status           TEXT NOT NULL,
	created          BIGINT NOT NULL,
	finished         BIGINT NOT NULL DEFAULT 0,
	length           BIGINT NOT NULL DEFAULT 0,
	content_type     TEXT NOT NULL,
	size             BIGINT NOT NULL,
	sha256           TEXT NOT NULL,
	source_url       TEXT NOT NULL,
	priority         BIGINT NOT NULL,
	time_to_live     BIGINT NOT NULL,
	expires          BIGINT NOT NULL DEFAULT 0,
	generation       BIGINT NOT NULL DEFAULT 0, -- how often it was reprocessed
	external_id      TEXT,
	metadata         BYTEA,                     -- as sent; NULL: none
	metadata_version BIGINT NOT NULL DEFAULT 1,
	problems         BYTEA NOT NULL,
	warnings         BYTEA NOT NULL,
	searchable       BIGINT NOT NULL DEFAULT 0, -- 1: shows in queries; decided when it is published or has failed
	search_fields    BYTEA,                     -- paths of metadata, one a line, as defined when it was published
	sealing          TEXT NOT NULL DEFAULT ''   -- id and hash of the public key it is sealed with; empty: it is not
);
CREATE INDEX media_account ON media (account, id);
CREATE INDEX media_status ON media (account, status, id);
CREATE INDEX media_external ON media (account, external_id, id) WHERE external_id IS NOT NULL;
CREATE INDEX media_expires ON media (expires) WHERE expires > 0;
CREATE INDEX media_searchable ON media (id) WHERE searchable = 1;
CREATE INDEX media_sealing ON media (account, status, created) WHERE sealing <> ''; -- counted with each query over calls

CREATE TABLE media_request ( -- what was asked for, as sent
	media         TEXT PRIMARY KEY,
	configuration BYTEA NOT NULL,
	given         BYTEA NOT NULL -- the transcript that came with the recording
);

CREATE TABLE stream (
	media        TEXT NOT NULL,
	name         TEXT NOT NULL,
	blob         TEXT NOT NULL,
	content_type TEXT NOT NULL,
	size         BIGINT NOT NULL,
	withheld     BIGINT NOT NULL DEFAULT 0, -- 1: kept for processing alone, and never shown
	key          BYTEA,                     -- of the blob; NULL: the blob is an OpenPGP message
	PRIMARY KEY (media, name)
);
CREATE INDEX stream_blob ON stream (blob);
CREATE INDEX stream_withheld ON stream (media) WHERE withheld = 1;
-- Whether anything is kept under a storage key is asked often. Only the ids of storage keys stand in the index.
CREATE INDEX stream_storage_key ON stream (substr(key, 1, 9)) WHERE length(key) <> 32;

CREATE TABLE artifact ( -- what steps have found while an item is processed
	media TEXT NOT NULL,
	step  TEXT NOT NULL,
	key   TEXT NOT NULL,
	data  BYTEA NOT NULL,
	PRIMARY KEY (media, step, key)
);

CREATE TABLE result (
	media      TEXT PRIMARY KEY,
	version    BIGINT NOT NULL,
	transcript BYTEA NOT NULL,
	result     BYTEA NOT NULL
);

CREATE TABLE progress (
	media TEXT PRIMARY KEY,
	data  BYTEA NOT NULL
);

CREATE TABLE idempotency (
	account TEXT NOT NULL,
	key     TEXT NOT NULL,
	media   TEXT NOT NULL,
	hash    BYTEA NOT NULL,
	created BIGINT NOT NULL,
	PRIMARY KEY (account, key)
);
CREATE INDEX idempotency_media ON idempotency (media);
CREATE INDEX idempotency_created ON idempotency (created);

CREATE TABLE usage (
	account   TEXT NOT NULL,
	day       TEXT NOT NULL, -- YYYY-MM-DD in UTC
	processed BIGINT NOT NULL,
	given     BIGINT NOT NULL DEFAULT 0, -- of given transcripts, of which nothing is recognised
	PRIMARY KEY (account, day)
);

CREATE TABLE setting (
	name  TEXT PRIMARY KEY,
	value BYTEA NOT NULL
);

CREATE TABLE job (
	id            TEXT PRIMARY KEY,
	kind          TEXT NOT NULL,
	account       TEXT NOT NULL,
	subject       TEXT NOT NULL,
	priority      BIGINT NOT NULL,
	payload       BYTEA NOT NULL,
	state         TEXT NOT NULL,
	attempts      BIGINT NOT NULL DEFAULT 0,
	max_attempts  BIGINT NOT NULL,
	interruptions BIGINT NOT NULL DEFAULT 0,
	stalls        BIGINT NOT NULL DEFAULT 0,
	fence         BIGINT NOT NULL DEFAULT 0,
	rank          BIGINT NOT NULL, -- order within a lane: due time moved by priority
	run_at        BIGINT NOT NULL,
	created       BIGINT NOT NULL,
	last_error    TEXT NOT NULL DEFAULT '',
	worker        TEXT NOT NULL DEFAULT '',
	lease_until   BIGINT NOT NULL DEFAULT 0,
	lane          TEXT NOT NULL DEFAULT '' -- deliveries to one receiver share a lane; other work goes by its account
);
CREATE INDEX job_ready ON job (kind, lane, rank, id) WHERE state = 'ready';
CREATE INDEX job_running ON job (kind, lane) WHERE state = 'running';
CREATE INDEX job_subject ON job (subject);
CREATE INDEX job_created ON job (created, id);

CREATE TABLE job_turn ( -- when each lane was served last, as a counter
	kind    TEXT NOT NULL,
	lane    TEXT NOT NULL,
	account TEXT NOT NULL,
	served  BIGINT NOT NULL,
	PRIMARY KEY (kind, lane)
);
CREATE INDEX job_turn_served ON job_turn (served);

CREATE TABLE definition ( -- what accounts have saved
	account  TEXT NOT NULL,
	kind     TEXT NOT NULL,
	name     TEXT NOT NULL,
	version  BIGINT NOT NULL, -- rises with each change, and is above that of what was deleted
	sent     BYTEA NOT NULL,
	content  BYTEA NOT NULL,  -- what was understood
	created  BIGINT NOT NULL,
	modified BIGINT NOT NULL,
	PRIMARY KEY (account, kind, name)
);

CREATE TABLE reprocessing ( -- requests to process an item again, until their results replace the earlier ones
	media         TEXT PRIMARY KEY,
	configuration BYTEA NOT NULL,
	given         BYTEA NOT NULL,
	finished      BIGINT NOT NULL -- when the present result was published; 0: there is none
);

CREATE TABLE index_pending ( -- published, changed and deleted items that the search index has not applied yet
	media   TEXT PRIMARY KEY,
	account TEXT NOT NULL,
	change  BIGINT NOT NULL -- counts the changes that wait
);
CREATE INDEX index_pending_account ON index_pending (account, media);

CREATE TABLE media_field ( -- what the metadata has at the paths of search_fields
	account TEXT NOT NULL,
	field   TEXT NOT NULL,
	value   BYTEA NOT NULL, -- digest of the text, which may be of any length
	media   TEXT NOT NULL,
	PRIMARY KEY (account, field, value, media)
);
CREATE INDEX media_field_media ON media_field (media);

CREATE TABLE audit ( -- who did what; the id is a UUIDv7 of when
	id        TEXT PRIMARY KEY,
	account   TEXT NOT NULL,
	made_by   TEXT NOT NULL,
	token     TEXT NOT NULL,
	remote    TEXT NOT NULL,
	reference TEXT NOT NULL,
	action    TEXT NOT NULL,
	object    TEXT NOT NULL,
	media     TEXT NOT NULL,
	name      TEXT NOT NULL,
	outcome   TEXT NOT NULL,
	code      BIGINT NOT NULL
);
CREATE INDEX audit_account ON audit (account, id);
CREATE INDEX audit_media ON audit (account, media, id) WHERE media <> '';
CREATE INDEX audit_change ON audit (account, action, id) WHERE action <> 'read';
CREATE INDEX audit_token ON audit (account, token, id) WHERE token <> '';

CREATE TABLE storage ( -- bytes of an account's streams; several rows, so that uploads do not wait for each other
	account TEXT NOT NULL,
	shard   BIGINT NOT NULL,
	bytes   BIGINT NOT NULL,
	PRIMARY KEY (account, shard)
);

CREATE TABLE classifier ( -- versions of what accounts have trained
	account  TEXT NOT NULL,
	id       TEXT NOT NULL,   -- of all versions
	version  BIGINT NOT NULL,
	name     TEXT NOT NULL,
	folded   TEXT NOT NULL,   -- the name without case
	display  TEXT NOT NULL,
	status   TEXT NOT NULL,
	percent  BIGINT NOT NULL,
	created  BIGINT NOT NULL,
	finished BIGINT NOT NULL,
	removed  BIGINT NOT NULL, -- when it was deleted; it stays for recordings that wait with it
	problems BYTEA NOT NULL,
	card     BYTEA NOT NULL,  -- labels and quality
	examples BYTEA NOT NULL,  -- what it is trained from; empty once it is
	model    BYTEA NOT NULL,
	PRIMARY KEY (id, version)
);
CREATE INDEX classifier_account ON classifier (account, folded);
CREATE INDEX classifier_removed ON classifier (removed) WHERE removed > 0;

CREATE TABLE classifier_use ( -- what recordings wait with
	media      TEXT NOT NULL,
	classifier TEXT NOT NULL,
	version    BIGINT NOT NULL,
	PRIMARY KEY (media, classifier, version)
);
CREATE INDEX classifier_use_of ON classifier_use (classifier, version);

CREATE TABLE category_version ( -- the versions that clients gave to their categories, each once in an account
	account TEXT NOT NULL,
	version TEXT NOT NULL,
	name    TEXT NOT NULL,
	PRIMARY KEY (account, version)
);

CREATE TABLE analytic ( -- the items that queries over many calls look at: all that are finished and can be read
	media   TEXT PRIMARY KEY,
	account TEXT NOT NULL,
	change  BIGINT NOT NULL, -- of the account's clock, when it was last published or changed
	indexed BIGINT NOT NULL  -- 1: posted for the analytic database; 0: only categories are tried on it
);
CREATE INDEX analytic_account ON analytic (account, change);

CREATE TABLE analytic_clock (
	account  TEXT PRIMARY KEY,
	change   BIGINT NOT NULL, -- counts what is published and changed
	removals BIGINT NOT NULL  -- counts what is deleted
);

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

CREATE TABLE delivery (
	id        TEXT PRIMARY KEY,
	account   TEXT NOT NULL,
	media     TEXT NOT NULL,
	position  BIGINT NOT NULL,
	url       TEXT NOT NULL,
	method    TEXT NOT NULL,
	type      TEXT NOT NULL,
	include   TEXT NOT NULL, -- comma between; empty: not given
	format    TEXT NOT NULL,
	stream    TEXT NOT NULL,
	state     TEXT NOT NULL,
	began     BIGINT NOT NULL,
	attempt   BIGINT NOT NULL,
	tried     BIGINT NOT NULL,
	next      BIGINT NOT NULL,
	done      BIGINT NOT NULL
);
CREATE INDEX delivery_media ON delivery (media);
CREATE INDEX delivery_account ON delivery (account);

CREATE TABLE delivery_try (
	delivery TEXT NOT NULL,
	n        BIGINT NOT NULL,
	media    TEXT NOT NULL,
	attempt  BIGINT NOT NULL,
	at       BIGINT NOT NULL,
	took     BIGINT NOT NULL,
	status   BIGINT NOT NULL,
	error    TEXT NOT NULL,
	answer   BYTEA NOT NULL,
	PRIMARY KEY (delivery, n)
);
CREATE INDEX delivery_try_media ON delivery_try (media);

CREATE TABLE endpoint ( -- receivers that do not take what is sent to them
	account  TEXT NOT NULL,
	address  TEXT NOT NULL,
	since    BIGINT NOT NULL,
	failures BIGINT NOT NULL,
	at       BIGINT NOT NULL, -- the last try, which attempt of its delivery it was, and what came of it
	attempt  BIGINT NOT NULL,
	took     BIGINT NOT NULL,
	status   BIGINT NOT NULL,
	error    TEXT NOT NULL,
	PRIMARY KEY (account, address)
);

CREATE TABLE callback_secret (
	id      TEXT PRIMARY KEY,
	account TEXT NOT NULL,
	secret  BYTEA NOT NULL,
	created BIGINT NOT NULL
);
CREATE INDEX callback_secret_account ON callback_secret (account);

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

-- Data keys stand alone, in a table that is small at any time: it can be written anew, so that nothing is left of those
-- that were destroyed.
CREATE TABLE data_key (
	media TEXT PRIMARY KEY,
	key   BYTEA NOT NULL
);

-- The servers that run on this database. A row that was not renewed for a minute is of one that has died.
CREATE TABLE node (
	id    TEXT PRIMARY KEY,
	name  TEXT NOT NULL, -- host and process
	role  TEXT NOT NULL,
	keys  TEXT NOT NULL, -- ids of its storage keys, the first one wraps; space between
	blobs TEXT NOT NULL, -- where it keeps recordings
	seen  BIGINT NOT NULL
);
