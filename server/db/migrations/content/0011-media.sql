-- Uploaded files and their folders. The bytes are in the media storage, under keys that `content` names.

CREATE TABLE folders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  -- 0: at the top.
  parent_id INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
);
CREATE INDEX folders_parent ON folders (parent_id);

CREATE TABLE files (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  -- The address below /media/.
  path TEXT NOT NULL UNIQUE,
  mime TEXT NOT NULL,
  kind TEXT NOT NULL,
  size INTEGER NOT NULL,
  -- As people see the image, after the orientation that the file names; NULL if the size is not known.
  width INTEGER,
  height INTEGER,
  alt TEXT NOT NULL,
  folder_id INTEGER NOT NULL DEFAULT 0,
  private INTEGER NOT NULL DEFAULT 0,
  -- The point of an image that crops keep, from 0 to 1.
  focus_x REAL NOT NULL DEFAULT 0.5,
  focus_y REAL NOT NULL DEFAULT 0.5,
  placeholder TEXT NOT NULL DEFAULT '',
  -- Where an import has found the file.
  source_url TEXT NOT NULL DEFAULT '',
  -- The stored bytes: 32 hexadecimal digits, new with every replacement (server/storage/media-key.ts).
  content TEXT NOT NULL UNIQUE,
  -- Format of an image that can have variants, else empty.
  format TEXT NOT NULL DEFAULT '',
  animated INTEGER NOT NULL DEFAULT 0,
  -- Whether there are AVIF variants.
  avif INTEGER NOT NULL DEFAULT 0,
  -- none, pending (being written), done, failed
  variants TEXT NOT NULL DEFAULT 'none',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE INDEX files_folder ON files (folder_id);
CREATE INDEX files_source ON files (source_url) WHERE source_url <> '';
CREATE INDEX files_pending ON files (id) WHERE variants = 'pending';

-- Cropped variants that somebody has asked for. Their number is limited, so they are listed.
CREATE TABLE file_crops (
  content TEXT NOT NULL,
  name TEXT NOT NULL,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  PRIMARY KEY (content, name)
) WITHOUT ROWID;

CREATE TRIGGER files_created AFTER INSERT ON files BEGIN
  INSERT INTO changes (kind, id, action, name) VALUES ('file', NEW.id, 'created', NEW.path);
END;
-- That variants are ready changes no page and no answer.
CREATE TRIGGER files_updated AFTER UPDATE ON files
WHEN NOT (OLD.variants = 'pending' AND NEW.variants = 'done' AND OLD.updated_at = NEW.updated_at) BEGIN
  INSERT INTO changes (kind, id, action, name, was_name)
  VALUES ('file', NEW.id, 'updated', NEW.path, OLD.path);
END;
CREATE TRIGGER files_deleted AFTER DELETE ON files BEGIN
  INSERT INTO changes (kind, id, action, was_name) VALUES ('file', OLD.id, 'deleted', OLD.path);
  DELETE FROM file_crops WHERE content = OLD.content;
END;
CREATE TRIGGER files_replaced AFTER UPDATE OF content ON files WHEN NEW.content <> OLD.content BEGIN
  DELETE FROM file_crops WHERE content = OLD.content;
END;

-- No page shows folders.
CREATE TRIGGER folders_created AFTER INSERT ON folders BEGIN
  INSERT INTO changes (kind, id, action, name) VALUES ('folder', NEW.id, 'created', NEW.name);
END;
CREATE TRIGGER folders_updated AFTER UPDATE ON folders BEGIN
  INSERT INTO changes (kind, id, action, name, was_name)
  VALUES ('folder', NEW.id, 'updated', NEW.name, OLD.name);
END;
CREATE TRIGGER folders_deleted AFTER DELETE ON folders BEGIN
  INSERT INTO changes (kind, id, action, was_name) VALUES ('folder', OLD.id, 'deleted', OLD.name);
END;

-- Other pages show the image and the icon of a page: they count for part 1.
DROP TRIGGER pages_updated;
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
        OR OLD.og_image_file_id <> NEW.og_image_file_id OR OLD.favicon_file_id <> NEW.favicon_file_id
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

-- CSS and JS refer to files too, and templates may refer to files now.
CREATE TRIGGER assets_references AFTER DELETE ON assets BEGIN
  DELETE FROM object_references WHERE kind = 'asset' AND object_id = OLD.id;
END;
INSERT INTO reference_backlog SELECT 'page', id FROM pages WHERE true ON CONFLICT DO NOTHING;
INSERT INTO reference_backlog SELECT 'snippet', id FROM snippets WHERE true ON CONFLICT DO NOTHING;
INSERT INTO reference_backlog SELECT 'asset', id FROM assets WHERE true ON CONFLICT DO NOTHING;
