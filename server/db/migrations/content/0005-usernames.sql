-- User names are trimmed and unique without regard to case. The program defines `trim_name` and `name_key`
-- (server/text.ts), because SQLite's own functions know ASCII letters only.

-- Of several users whose names count as the same now, the oldest keeps the name; the others get their id
-- behind it, so that nobody loses an account.
UPDATE users
SET username = trim_name(username) || ' (' || id || ')'
WHERE EXISTS (
  SELECT 1 FROM users AS older
  WHERE older.id < users.id AND name_key(older.username) = name_key(users.username)
);

ALTER TABLE users ADD COLUMN username_key TEXT NOT NULL DEFAULT '';
UPDATE users SET username = trim_name(username), username_key = name_key(username);
CREATE UNIQUE INDEX users_key ON users (username_key);
