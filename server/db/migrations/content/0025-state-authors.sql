-- Who made the state of an object that is there now, and when: a version that is stored later says so of its state.
-- An object without a row was last saved before this migration, or came with a bundle.
CREATE TABLE state_authors (
  kind TEXT NOT NULL,
  object_id INTEGER NOT NULL,
  author TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (kind, object_id)
);

-- NULL: not known, as in all versions that are there already.
ALTER TABLE revisions ADD COLUMN state_author TEXT;
ALTER TABLE revisions ADD COLUMN state_at INTEGER;

CREATE TRIGGER pages_state_authors AFTER DELETE ON pages BEGIN
  DELETE FROM state_authors WHERE kind = 'page' AND object_id = OLD.id;
END;
CREATE TRIGGER snippets_state_authors AFTER DELETE ON snippets BEGIN
  DELETE FROM state_authors WHERE kind = 'snippet' AND object_id = OLD.id;
END;
CREATE TRIGGER assets_state_authors AFTER DELETE ON assets BEGIN
  DELETE FROM state_authors WHERE kind = 'asset' AND object_id = OLD.id;
END;
CREATE TRIGGER items_state_authors AFTER DELETE ON items BEGIN
  DELETE FROM state_authors WHERE kind = 'item' AND object_id = OLD.id;
END;
CREATE TRIGGER global_blocks_state_authors AFTER DELETE ON global_blocks BEGIN
  DELETE FROM state_authors WHERE kind = 'globalblock' AND object_id = OLD.id;
END;
CREATE TRIGGER workflows_state_authors AFTER DELETE ON workflows BEGIN
  DELETE FROM state_authors WHERE kind = 'workflow' AND object_id = OLD.id;
END;
CREATE TRIGGER flow_nodes_state_authors AFTER DELETE ON flow_nodes BEGIN
  DELETE FROM state_authors WHERE kind = 'flownode' AND object_id = OLD.id;
END;
