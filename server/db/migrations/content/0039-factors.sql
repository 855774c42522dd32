-- additive
-- Second factors of users: secrets of one-time codes, and passkeys.
CREATE TABLE factors (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- totp or passkey
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  -- 0 while a secret was not yet shown to work.
  is_active INTEGER NOT NULL,
  -- Of one-time codes: the encrypted secret, and the last interval whose code was used.
  secret TEXT NOT NULL,
  last_step INTEGER NOT NULL,
  -- Of passkeys: ID and public key in base64url, how often it was used, and a JSON list of ways to reach it.
  credential_id TEXT,
  public_key TEXT NOT NULL,
  counter INTEGER NOT NULL,
  transports TEXT NOT NULL
);
CREATE INDEX factors_user ON factors (user_id);
CREATE UNIQUE INDEX factors_credential ON factors (credential_id);

CREATE TABLE recovery_codes (
  -- SHA-256, hex; the codes themselves are never stored.
  hash TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX recovery_codes_user ON recovery_codes (user_id);

-- Challenges of passkeys that were answered, so that no answer counts twice.
CREATE TABLE spent_challenges (
  hash TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
);
