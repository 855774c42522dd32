-- Failed logins, where several nodes count them together.

CREATE TABLE login_failures (
  client TEXT PRIMARY KEY,
  failures INTEGER NOT NULL,
  -- Unix milliseconds.
  last_failed_at INTEGER NOT NULL
);
CREATE INDEX login_failures_age ON login_failures (last_failed_at);
