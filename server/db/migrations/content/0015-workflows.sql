-- Workflows: graphs of nodes that run by hand, on schedules, at HTTP inputs and after changes of entries.

CREATE TABLE workflows (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  enabled INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- JSON: nodes and wires.
  flow TEXT NOT NULL
);

-- The HTTP inputs of enabled workflows. `shape` is the path without the names of its placeholders.
CREATE TABLE workflow_inputs (
  workflow_id INTEGER NOT NULL REFERENCES workflows (id) ON DELETE CASCADE,
  method TEXT NOT NULL,
  shape TEXT NOT NULL,
  PRIMARY KEY (shape, method, workflow_id)
);
CREATE INDEX workflow_inputs_owner ON workflow_inputs (workflow_id);

-- What function nodes keep from run to run.
CREATE TABLE workflow_values (
  workflow_id INTEGER NOT NULL REFERENCES workflows (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  -- JSON
  value TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workflow_id, key)
);

CREATE TRIGGER workflows_created AFTER INSERT ON workflows BEGIN
  INSERT INTO changes (kind, id, action) VALUES ('workflow', NEW.id, 'created');
END;
CREATE TRIGGER workflows_updated AFTER UPDATE ON workflows BEGIN
  INSERT INTO changes (kind, id, action) VALUES ('workflow', NEW.id, 'updated');
END;
CREATE TRIGGER workflows_deleted AFTER DELETE ON workflows BEGIN
  INSERT INTO changes (kind, id, action) VALUES ('workflow', OLD.id, 'deleted');
END;

-- Every deletion of an object also deletes its versions and references.
CREATE TRIGGER workflows_revisions AFTER DELETE ON workflows BEGIN
  DELETE FROM revisions WHERE kind = 'workflow' AND object_id = OLD.id;
END;
CREATE TRIGGER workflows_references AFTER DELETE ON workflows BEGIN
  DELETE FROM object_references WHERE kind = 'workflow' AND object_id = OLD.id;
END;
