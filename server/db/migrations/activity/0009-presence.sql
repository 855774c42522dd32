-- additive
-- Who has which object open, as all nodes know it together. Rows are forgotten after a minute.
CREATE TABLE presence (
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  object_id INTEGER NOT NULL,
  state TEXT NOT NULL,
  -- Unix milliseconds of the last report.
  heard_at INTEGER NOT NULL,
  PRIMARY KEY (name, kind, object_id)
);
