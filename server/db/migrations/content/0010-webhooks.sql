CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  -- JSON list of the names of events.
  events TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  -- Encrypted (server/secrets).
  secret TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) WITHOUT ROWID;
