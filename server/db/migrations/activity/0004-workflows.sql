-- Runs of workflows: the last ones of each, and sums of all by day.

CREATE TABLE workflow_runs (
  id INTEGER PRIMARY KEY,
  workflow_id INTEGER NOT NULL,
  trigger_kind TEXT NOT NULL,
  status TEXT NOT NULL,
  error TEXT NOT NULL,
  result TEXT NOT NULL,
  -- JSON
  logs TEXT NOT NULL,
  -- JSON
  trace TEXT NOT NULL,
  -- Unix milliseconds.
  started_at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  -- What a repetition starts with: ID of the start node, and JSON of its message; empty if that was too large.
  start_node TEXT NOT NULL,
  message TEXT NOT NULL
);
CREATE INDEX workflow_runs_newest ON workflow_runs (workflow_id, id);

-- Remains when the log of a workflow is cleared.
CREATE TABLE workflow_last_runs (
  workflow_id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL,
  -- Unix milliseconds.
  last_run_at INTEGER NOT NULL,
  last_status TEXT NOT NULL
);

CREATE TABLE workflow_days (
  workflow_id INTEGER NOT NULL,
  day TEXT NOT NULL,
  runs INTEGER NOT NULL,
  errors INTEGER NOT NULL,
  -- JSON: number of runs by class of duration.
  durations TEXT NOT NULL,
  PRIMARY KEY (workflow_id, day)
);
