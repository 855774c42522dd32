-- What objects refer to: assets of pages and snippets, snippets that templates name, pages that links lead to.
-- `kinds/references.ts` fills it within each change.

CREATE TABLE object_references (
  -- The object that refers, and its field.
  kind TEXT NOT NULL,
  object_id INTEGER NOT NULL,
  field TEXT NOT NULL,
  -- Website of the object; 0 for objects that belong to all websites.
  root_id INTEGER NOT NULL,
  -- What it refers to: an ID as text, the name of a snippet, or a link.
  to_kind TEXT NOT NULL,
  to_key TEXT NOT NULL,
  PRIMARY KEY (kind, object_id, field, to_kind, to_key)
) WITHOUT ROWID;
CREATE INDEX object_references_target ON object_references (to_kind, to_key);

-- Objects whose references are still to be found. The server does so in the background after its start.
CREATE TABLE reference_backlog (
  kind TEXT NOT NULL,
  object_id INTEGER NOT NULL,
  PRIMARY KEY (kind, object_id)
) WITHOUT ROWID;
INSERT INTO reference_backlog SELECT 'page', id FROM pages;
INSERT INTO reference_backlog SELECT 'snippet', id FROM snippets;
INSERT INTO reference_backlog SELECT 'redirect', id FROM redirects;

-- Triggers, so that every deletion and every move also counts here.
CREATE TRIGGER pages_references AFTER DELETE ON pages BEGIN
  DELETE FROM object_references WHERE kind = 'page' AND object_id = OLD.id;
END;
CREATE TRIGGER snippets_references AFTER DELETE ON snippets BEGIN
  DELETE FROM object_references WHERE kind = 'snippet' AND object_id = OLD.id;
END;
CREATE TRIGGER redirects_references AFTER DELETE ON redirects BEGIN
  DELETE FROM object_references WHERE kind = 'redirect' AND object_id = OLD.id;
END;
CREATE TRIGGER pages_references_site AFTER UPDATE OF root_id ON pages WHEN NEW.root_id <> OLD.root_id BEGIN
  UPDATE object_references SET root_id = NEW.root_id WHERE kind = 'page' AND object_id = NEW.id;
END;
CREATE TRIGGER pages_references_notfound AFTER UPDATE OF notfound_page_id ON pages
WHEN NEW.notfound_page_id = 0 AND OLD.notfound_page_id <> 0 BEGIN
  DELETE FROM object_references WHERE kind = 'page' AND object_id = NEW.id AND field = 'notfound_page_id';
END;
