-- additive
-- When a session was last used, in Unix seconds.
CREATE TABLE session_uses (
  hash TEXT PRIMARY KEY,
  last_used_at INTEGER NOT NULL
);
CREATE INDEX session_uses_age ON session_uses (last_used_at);
