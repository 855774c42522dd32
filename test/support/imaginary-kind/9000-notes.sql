CREATE TABLE notes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  title TEXT NOT NULL,
  pinned INTEGER NOT NULL,
  tags TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE TRIGGER notes_revisions AFTER DELETE ON notes BEGIN
  DELETE FROM revisions WHERE kind = 'note' AND object_id = OLD.id;
END;
