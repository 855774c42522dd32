-- additive
-- What people say about change sets. No page shows it.
CREATE TABLE change_set_reviews (
  change_set_id INTEGER PRIMARY KEY REFERENCES change_sets (id) ON DELETE CASCADE,
  state TEXT NOT NULL,
  note TEXT NOT NULL,
  -- Of what the change set did when this was said.
  hash TEXT NOT NULL,
  author TEXT NOT NULL,
  -- Unix seconds.
  at INTEGER NOT NULL
);

CREATE TABLE change_set_comments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  change_set_id INTEGER NOT NULL REFERENCES change_sets (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  object_id INTEGER NOT NULL,
  -- Where in the object; null for all of it.
  field TEXT,
  block TEXT,
  quote TEXT,
  text TEXT NOT NULL,
  resolved INTEGER NOT NULL,
  author TEXT NOT NULL,
  -- Unix seconds.
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE INDEX change_set_comments_by_set ON change_set_comments (change_set_id);

-- Who worked on what without changing content, such as a change set: one row for each sitting.
CREATE TABLE sittings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  object_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  actor TEXT NOT NULL,
  -- Version of the content when it began.
  version INTEGER NOT NULL,
  -- Unix seconds.
  begun_at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL
);
CREATE INDEX sittings_by_object ON sittings (kind, object_id, actor);
CREATE INDEX sittings_by_version ON sittings (version);

-- Files that a change set uses are in use as long as it has the object that names them, and can still be read.
CREATE TRIGGER change_set_items_references AFTER DELETE ON change_set_items BEGIN
  DELETE FROM object_references
  WHERE kind = 'change_set' AND object_id = OLD.change_set_id AND field = OLD.kind || ' ' || OLD.object_id;
END;
CREATE TRIGGER change_sets_references AFTER UPDATE OF state ON change_sets WHEN NEW.state = 'published' BEGIN
  DELETE FROM object_references WHERE kind = 'change_set' AND object_id = NEW.id;
END;
