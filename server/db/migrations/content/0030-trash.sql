-- additive
-- Deleted objects, with everything that a restore needs.
CREATE TABLE trash (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  object_id INTEGER NOT NULL,
  title TEXT NOT NULL,
  path TEXT NOT NULL,
  -- As in the version history.
  deleted_by TEXT NOT NULL,
  deleted_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  -- JSON: number of deleted rows by table.
  counts TEXT NOT NULL,
  -- IDs of the pages that were deleted together, as `,5,6,`: what lies in one of them cannot be restored without it.
  pages TEXT NOT NULL,
  -- Of the stored rows and of the bytes of files.
  bytes INTEGER NOT NULL,
  -- The object and what was left of lists that named it, packed (server/content/kinds/trash/pack.ts).
  object TEXT NOT NULL
);
CREATE INDEX trash_object ON trash (kind, object_id);
CREATE INDEX trash_expiry ON trash (expires_at);

-- What the deletion has done to rows, in order, packed.
CREATE TABLE trash_rows (
  trash_id INTEGER NOT NULL REFERENCES trash (id) ON DELETE CASCADE,
  part INTEGER NOT NULL,
  steps TEXT NOT NULL,
  PRIMARY KEY (trash_id, part)
);

-- Contents of deleted files, whose bytes stay until the trash forgets them.
CREATE TABLE trash_contents (
  content TEXT PRIMARY KEY,
  trash_id INTEGER NOT NULL REFERENCES trash (id) ON DELETE CASCADE
);
CREATE INDEX trash_contents_owner ON trash_contents (trash_id);

-- The clean-up shows the size of the trash, so the content gets a version. No page shows it (0026).
CREATE TRIGGER trash_created AFTER INSERT ON trash BEGIN
  INSERT INTO changes (kind, id, action) VALUES ('pen', 0, 'created');
END;
CREATE TRIGGER trash_deleted AFTER DELETE ON trash BEGIN
  INSERT INTO changes (kind, id, action) VALUES ('pen', 0, 'deleted');
END;
