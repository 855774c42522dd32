-- Batches that were applied with an idempotency key, so that a repeated request gets the same answer.
CREATE TABLE batches (
  idempotency_key TEXT PRIMARY KEY,
  -- SHA-256 of the request without its key, hex.
  hash TEXT NOT NULL,
  answer TEXT NOT NULL,
  applied_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX batches_applied_at ON batches (applied_at);
