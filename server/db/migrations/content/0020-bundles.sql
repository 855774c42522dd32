-- SHA-256 of stored contents, so that a bundle tells which media differ without reading them. A content never changes,
-- so its row is never wrong; it may be missing until somebody asks for it.
CREATE TABLE file_hashes (
  content TEXT PRIMARY KEY,
  sha256 TEXT NOT NULL
) WITHOUT ROWID;
CREATE TRIGGER files_hash_deleted AFTER DELETE ON files BEGIN
  DELETE FROM file_hashes WHERE content = OLD.content;
END;
CREATE TRIGGER files_hash_replaced AFTER UPDATE OF content ON files WHEN NEW.content <> OLD.content BEGIN
  DELETE FROM file_hashes WHERE content = OLD.content;
END;

-- Other instances that this one is connected to.
CREATE TABLE connections (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  -- Encrypted (server/secrets).
  token TEXT NOT NULL,
  -- The first characters of the token, for people.
  token_prefix TEXT NOT NULL,
  -- NULL before the first push or pull.
  last_sync_at INTEGER,
  -- `push` or `pull`; empty before the first.
  last_sync TEXT NOT NULL DEFAULT '',
  -- Hash of the content that both sides had after it; empty before the first.
  sync_hash TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL
);
CREATE INDEX file_hashes_sha256 ON file_hashes (sha256);
