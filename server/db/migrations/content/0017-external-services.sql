-- Connections to external databases, in the order in which they are listed.
CREATE TABLE extdb_connections (
  -- The name as names are compared: without regard to case.
  name_key TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  -- Encrypted (server/secrets); empty = none.
  token TEXT NOT NULL,
  position INTEGER NOT NULL
) WITHOUT ROWID;

-- Secrets that workflows use as {{ secret.NAME }}.
CREATE TABLE workflow_secrets (
  name TEXT PRIMARY KEY,
  -- Encrypted (server/secrets).
  value TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) WITHOUT ROWID;
