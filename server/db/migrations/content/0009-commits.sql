-- What each change of content did, as others are told of it: one row per change. The oldest row says how far
-- back the log goes; readers who know an older version have to read everything anew.
CREATE TABLE commits (
  -- The version of the content after the change (`changes.seq`).
  version INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  -- Who made it, as in the version history.
  actor TEXT NOT NULL,
  -- JSON list of the change records.
  records TEXT NOT NULL
);
INSERT INTO commits SELECT coalesce(max(seq), 0), 0, '', '[]' FROM changes;
