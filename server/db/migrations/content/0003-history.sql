-- Version history, and the redirects of every website.

CREATE TABLE revisions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  object_id INTEGER NOT NULL,
  author TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- Size of `data` in bytes. `data` is the object as JSON, in the form of its GET.
  size INTEGER NOT NULL,
  data TEXT NOT NULL
);
CREATE INDEX revisions_object ON revisions (kind, object_id, id);

-- Triggers, so that every deletion of an object also deletes its versions.
CREATE TRIGGER pages_revisions AFTER DELETE ON pages BEGIN
  DELETE FROM revisions WHERE kind = 'page' AND object_id = OLD.id;
END;
CREATE TRIGGER snippets_revisions AFTER DELETE ON snippets BEGIN
  DELETE FROM revisions WHERE kind = 'snippet' AND object_id = OLD.id;
END;
CREATE TRIGGER assets_revisions AFTER DELETE ON assets BEGIN
  DELETE FROM revisions WHERE kind = 'asset' AND object_id = OLD.id;
END;

CREATE TABLE redirects (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  root_id INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  -- Normalised path.
  source TEXT NOT NULL,
  target TEXT NOT NULL,
  -- Normalised path of a target on the same website, else empty.
  target_path TEXT NOT NULL,
  status INTEGER NOT NULL,
  auto INTEGER NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX redirects_source ON redirects (root_id, source);
CREATE INDEX redirects_target ON redirects (root_id, target_path);
