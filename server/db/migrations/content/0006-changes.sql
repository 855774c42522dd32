-- The change log: one row for each row of content that was created, changed or deleted. It is written by
-- triggers, so that no change can be left out, whoever makes it. Readers ask for the rows after the last
-- number that they know. Old rows are deleted.
--
-- `name` is what readers look the object up by besides its ID: the path of a page, the name of a snippet, the
-- source of a redirect. `was_...` are the values before the change; NULL for a created object.
--
-- `parts` says what a change of a page touched, as a sum (runtime/content/dependencies.ts):
--   1 its name, place or state: what other pages show of it
--   2 what lists of pages show of it
--   4 the domains of its website
--   8 its language
--  16 a catch-all page
--  32 which languages its website has
CREATE TABLE changes (
  seq INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  action TEXT NOT NULL,
  parts INTEGER NOT NULL DEFAULT 0,
  root_id INTEGER,
  parent_id INTEGER,
  name TEXT,
  translation_group TEXT,
  was_root_id INTEGER,
  was_parent_id INTEGER,
  was_name TEXT,
  was_translation_group TEXT
);

CREATE INDEX pages_shown ON pages (parent_id, sort, id) WHERE published = 1 AND hide_in_nav = 0;
CREATE INDEX pages_catch_all ON pages (root_id) WHERE catch_all = 1;
CREATE INDEX pages_roots ON pages (id) WHERE parent_id IS NULL;

CREATE TRIGGER pages_created AFTER INSERT ON pages BEGIN
  INSERT INTO changes (kind, id, action, parts, root_id, parent_id, name, translation_group)
  VALUES ('page', NEW.id, 'created',
    47 + CASE WHEN NEW.catch_all = 1 THEN 16 ELSE 0 END,
    NEW.root_id, NEW.parent_id, NEW.path, NEW.translation_group);
END;

CREATE TRIGGER pages_deleted AFTER DELETE ON pages BEGIN
  INSERT INTO changes (kind, id, action, parts, was_root_id, was_parent_id, was_name, was_translation_group)
  VALUES ('page', OLD.id, 'deleted',
    47 + CASE WHEN OLD.catch_all = 1 THEN 16 ELSE 0 END,
    OLD.root_id, OLD.parent_id, OLD.path, OLD.translation_group);
END;

CREATE TRIGGER pages_updated AFTER UPDATE ON pages BEGIN
  INSERT INTO changes (
    kind, id, action, parts,
    root_id, parent_id, name, translation_group,
    was_root_id, was_parent_id, was_name, was_translation_group
  )
  VALUES ('page', NEW.id, 'updated',
    CASE WHEN OLD.title <> NEW.title OR OLD.slug <> NEW.slug OR OLD.path <> NEW.path
        OR OLD.root_id <> NEW.root_id OR OLD.parent_id IS DISTINCT FROM NEW.parent_id
        OR OLD.lang <> NEW.lang OR OLD.published <> NEW.published OR OLD.domains <> NEW.domains
        OR OLD.default_site <> NEW.default_site OR OLD.notfound_page_id <> NEW.notfound_page_id
        OR OLD.robots_txt <> NEW.robots_txt
      THEN 1 ELSE 0 END
    + CASE WHEN OLD.title <> NEW.title OR OLD.slug <> NEW.slug OR OLD.path <> NEW.path
        OR OLD.root_id <> NEW.root_id OR OLD.parent_id IS DISTINCT FROM NEW.parent_id
        OR OLD.sort <> NEW.sort OR OLD.lang <> NEW.lang OR OLD.published <> NEW.published
        OR OLD.hide_in_nav <> NEW.hide_in_nav OR OLD.translation_group <> NEW.translation_group
      THEN 2 ELSE 0 END
    + CASE WHEN OLD.domains <> NEW.domains OR OLD.default_site <> NEW.default_site
      THEN 4 ELSE 0 END
    + CASE WHEN OLD.lang <> NEW.lang OR OLD.parent_id IS DISTINCT FROM NEW.parent_id
      THEN 8 ELSE 0 END
    + CASE WHEN OLD.catch_all <> NEW.catch_all
        OR (NEW.catch_all = 1 AND (OLD.path <> NEW.path OR OLD.root_id <> NEW.root_id
          OR OLD.published <> NEW.published))
      THEN 16 ELSE 0 END
    + CASE WHEN OLD.lang <> NEW.lang OR OLD.published <> NEW.published OR OLD.root_id <> NEW.root_id
        OR OLD.parent_id IS DISTINCT FROM NEW.parent_id
      THEN 32 ELSE 0 END,
    NEW.root_id, NEW.parent_id, NEW.path, NEW.translation_group,
    OLD.root_id, OLD.parent_id, OLD.path, OLD.translation_group);
END;

CREATE TRIGGER snippets_created AFTER INSERT ON snippets BEGIN
  INSERT INTO changes (kind, id, action, name) VALUES ('snippet', NEW.id, 'created', NEW.name);
END;
CREATE TRIGGER snippets_updated AFTER UPDATE ON snippets BEGIN
  INSERT INTO changes (kind, id, action, name, was_name)
  VALUES ('snippet', NEW.id, 'updated', NEW.name, OLD.name);
END;
CREATE TRIGGER snippets_deleted AFTER DELETE ON snippets BEGIN
  INSERT INTO changes (kind, id, action, was_name) VALUES ('snippet', OLD.id, 'deleted', OLD.name);
END;

CREATE TRIGGER assets_created AFTER INSERT ON assets BEGIN
  INSERT INTO changes (kind, id, action, name) VALUES ('asset', NEW.id, 'created', NEW.name);
END;
CREATE TRIGGER assets_updated AFTER UPDATE ON assets BEGIN
  INSERT INTO changes (kind, id, action, name, was_name)
  VALUES ('asset', NEW.id, 'updated', NEW.name, OLD.name);
END;
CREATE TRIGGER assets_deleted AFTER DELETE ON assets BEGIN
  INSERT INTO changes (kind, id, action, was_name) VALUES ('asset', OLD.id, 'deleted', OLD.name);
END;

CREATE TRIGGER redirects_created AFTER INSERT ON redirects BEGIN
  INSERT INTO changes (kind, id, action, root_id, name)
  VALUES ('redirect', NEW.id, 'created', NEW.root_id, NEW.source);
END;
CREATE TRIGGER redirects_updated AFTER UPDATE ON redirects BEGIN
  INSERT INTO changes (kind, id, action, root_id, name, was_root_id, was_name)
  VALUES ('redirect', NEW.id, 'updated', NEW.root_id, NEW.source, OLD.root_id, OLD.source);
END;
CREATE TRIGGER redirects_deleted AFTER DELETE ON redirects BEGIN
  INSERT INTO changes (kind, id, action, was_root_id, was_name)
  VALUES ('redirect', OLD.id, 'deleted', OLD.root_id, OLD.source);
END;

-- Assignments of assets: a change of the list of a page or snippet, whose ID the row has.
CREATE TRIGGER page_assets_created AFTER INSERT ON page_assets BEGIN
  INSERT INTO changes (kind, id, action) VALUES ('page_assets', NEW.page_id, 'updated');
END;
CREATE TRIGGER page_assets_updated AFTER UPDATE ON page_assets BEGIN
  INSERT INTO changes (kind, id, action) VALUES ('page_assets', NEW.page_id, 'updated');
END;
CREATE TRIGGER page_assets_deleted AFTER DELETE ON page_assets BEGIN
  INSERT INTO changes (kind, id, action) VALUES ('page_assets', OLD.page_id, 'updated');
END;
CREATE TRIGGER snippet_assets_created AFTER INSERT ON snippet_assets BEGIN
  INSERT INTO changes (kind, id, action) VALUES ('snippet_assets', NEW.snippet_id, 'updated');
END;
CREATE TRIGGER snippet_assets_updated AFTER UPDATE ON snippet_assets BEGIN
  INSERT INTO changes (kind, id, action) VALUES ('snippet_assets', NEW.snippet_id, 'updated');
END;
CREATE TRIGGER snippet_assets_deleted AFTER DELETE ON snippet_assets BEGIN
  INSERT INTO changes (kind, id, action) VALUES ('snippet_assets', OLD.snippet_id, 'updated');
END;
