-- Who users are, besides the name with which they sign in. The e-mail address links no accounts.
ALTER TABLE users ADD COLUMN email TEXT NOT NULL DEFAULT '';
ALTER TABLE users ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE users ADD COLUMN must_change_password INTEGER NOT NULL DEFAULT 0;

-- Links with which users set their first password, one for each user.
CREATE TABLE invitations (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  -- SHA-256 of the token.
  hash TEXT NOT NULL UNIQUE,
  -- Unix seconds.
  expires_at INTEGER NOT NULL
);
