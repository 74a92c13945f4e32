-- +goose Up
CREATE INDEX audit_token ON audit (account, token, id) WHERE token <> '';

-- +goose Down
DROP INDEX audit_token;
