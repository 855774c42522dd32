-- additive
-- Changes that are prepared and kept instead of made. No page shows them.
CREATE TABLE change_sets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  note TEXT NOT NULL,
  purpose TEXT NOT NULL,
  state TEXT NOT NULL,
  author TEXT NOT NULL,
  -- Times are Unix seconds.
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  publish_at INTEGER,
  published_at INTEGER,
  discarded_at INTEGER,
  -- The change set that has reverted it.
  reverted_by INTEGER,
  -- JSON of the error that kept it from being published.
  failure TEXT
);
CREATE INDEX change_sets_by_state ON change_sets (state, publish_at);

-- The feed tells of it, so the content gets a version, as with failing pages.
CREATE TRIGGER change_sets_ended AFTER UPDATE OF state ON change_sets
WHEN new.state IN ('published', 'failed') AND old.state <> new.state BEGIN
  INSERT INTO changes (kind, id, action) VALUES ('pen', 0, 'created');
END;

CREATE TABLE change_set_items (
  change_set_id INTEGER NOT NULL REFERENCES change_sets (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  object_id INTEGER NOT NULL,
  -- The order in which the objects came in.
  position INTEGER NOT NULL,
  title TEXT NOT NULL,
  -- JSON of the object when it came in; null for one that the change set creates.
  base TEXT,
  -- JSON of the body that creates the object; null for one that exists.
  creation TEXT,
  is_deleted INTEGER NOT NULL,
  -- JSON of the changed fields with their values.
  fields TEXT NOT NULL,
  -- JSON list of moves and links.
  arrangements TEXT NOT NULL,
  -- JSON list of names.
  authors TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  -- Bytes of what the change set itself has of the object.
  size INTEGER NOT NULL,
  PRIMARY KEY (change_set_id, kind, object_id)
);
CREATE INDEX change_set_items_by_object ON change_set_items (kind, object_id);
