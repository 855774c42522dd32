-- Playgrounds of HTML, CSS and JS. No page shows them, but their templates refer to content.
CREATE TABLE pens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  html TEXT NOT NULL,
  css TEXT NOT NULL,
  js TEXT NOT NULL,
  public INTEGER NOT NULL,
  show_code INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);

CREATE TRIGGER pens_created AFTER INSERT ON pens BEGIN
  INSERT INTO changes (kind, id, action) VALUES ('pen', NEW.id, 'created');
END;
CREATE TRIGGER pens_updated AFTER UPDATE ON pens BEGIN
  INSERT INTO changes (kind, id, action) VALUES ('pen', NEW.id, 'updated');
END;
CREATE TRIGGER pens_deleted AFTER DELETE ON pens BEGIN
  INSERT INTO changes (kind, id, action) VALUES ('pen', OLD.id, 'deleted');
END;

-- Every deletion of an object also deletes its references.
CREATE TRIGGER pens_references AFTER DELETE ON pens BEGIN
  DELETE FROM object_references WHERE kind = 'pen' AND object_id = OLD.id;
END;
