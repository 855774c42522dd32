-- additive
-- What happens to the access of people and programs: logins, failures, changes of users, roles and tokens.
CREATE TABLE auth_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Unix seconds.
  at INTEGER NOT NULL,
  -- Version of the content at that time, which orders events among changes.
  version INTEGER NOT NULL,
  event TEXT NOT NULL,
  "user" TEXT NOT NULL,
  address TEXT NOT NULL,
  agent TEXT NOT NULL,
  -- What the event was about, such as the name of a token; empty if `event` says all.
  detail TEXT NOT NULL
);
CREATE INDEX auth_events_by_version ON auth_events (version);
