-- Block trees of pages, and global blocks. JSON columns hold text.

ALTER TABLE pages ADD COLUMN blocks TEXT NOT NULL DEFAULT '[]';

-- `blocks` comes last, so that the other columns are read without it.
CREATE TABLE global_blocks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  folder TEXT NOT NULL DEFAULT '',
  description TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  blocks TEXT NOT NULL DEFAULT '[]'
);

CREATE TRIGGER global_blocks_created AFTER INSERT ON global_blocks BEGIN
  INSERT INTO changes (kind, id, action) VALUES ('global_block', NEW.id, 'created');
END;
CREATE TRIGGER global_blocks_updated AFTER UPDATE ON global_blocks BEGIN
  INSERT INTO changes (kind, id, action) VALUES ('global_block', NEW.id, 'updated');
END;
CREATE TRIGGER global_blocks_deleted AFTER DELETE ON global_blocks BEGIN
  INSERT INTO changes (kind, id, action) VALUES ('global_block', OLD.id, 'deleted');
END;

-- Every deletion of an object also deletes its versions and references.
CREATE TRIGGER global_blocks_revisions AFTER DELETE ON global_blocks BEGIN
  DELETE FROM revisions WHERE kind = 'globalblock' AND object_id = OLD.id;
END;
CREATE TRIGGER global_blocks_references AFTER DELETE ON global_blocks BEGIN
  DELETE FROM object_references WHERE kind = 'global_block' AND object_id = OLD.id;
END;
