-- Events that must go out to others, until they have. Most are stored by the change that they tell of. A number is
-- never given again, because IDs of deliveries are made of it.
CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Which part of the program sends it.
  outlet TEXT NOT NULL,
  event TEXT NOT NULL,
  -- Unix seconds.
  at INTEGER NOT NULL,
  -- JSON; only the outlet reads it.
  payload TEXT NOT NULL
);

-- How far in the log of commits those have come who make events of it. Nothing older than this migration is told.
CREATE TABLE log_positions (
  reader TEXT PRIMARY KEY,
  -- Version of the newest commit that is dealt with.
  version INTEGER NOT NULL,
  -- What the reader has to know of that version; empty if it knows nothing.
  state TEXT NOT NULL
);
INSERT INTO log_positions SELECT 'webhooks', coalesce(max(version), 0), '' FROM commits;
INSERT INTO log_positions SELECT 'schema', coalesce(max(version), 0), '' FROM commits;

-- Requests and deliveries in a row that have led to the change (`WorkflowActor`).
ALTER TABLE commits ADD COLUMN hop INTEGER NOT NULL DEFAULT 0;
