-- Custom nodes of workflows (Data, Automation and Operations, "Custom node definition"). Pages do not depend on
-- them, so their rows in the change log touch nothing.

CREATE TABLE flow_nodes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  color TEXT NOT NULL DEFAULT '',
  inputs INTEGER NOT NULL,
  outputs TEXT NOT NULL,
  params TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  code TEXT NOT NULL
);

CREATE TRIGGER flow_nodes_created AFTER INSERT ON flow_nodes BEGIN
  INSERT INTO changes (kind, id, action) VALUES ('flow_node', NEW.id, 'created');
END;
CREATE TRIGGER flow_nodes_updated AFTER UPDATE ON flow_nodes BEGIN
  INSERT INTO changes (kind, id, action) VALUES ('flow_node', NEW.id, 'updated');
END;
CREATE TRIGGER flow_nodes_deleted AFTER DELETE ON flow_nodes BEGIN
  INSERT INTO changes (kind, id, action) VALUES ('flow_node', OLD.id, 'deleted');
END;

CREATE TRIGGER flow_nodes_revisions AFTER DELETE ON flow_nodes BEGIN
  DELETE FROM revisions WHERE kind = 'flownode' AND object_id = OLD.id;
END;
CREATE TRIGGER flow_nodes_references AFTER DELETE ON flow_nodes BEGIN
  DELETE FROM object_references WHERE kind = 'flow_node' AND object_id = OLD.id;
END;
