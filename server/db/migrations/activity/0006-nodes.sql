-- What nodes must tell each other, and one machine alone has in memory.

-- How many times the statistics of a website were deleted. Other nodes forget what they remember of the day when a row
-- changes.
CREATE TABLE statistics_resets (
  root_id INTEGER PRIMARY KEY,
  times INTEGER NOT NULL
);

CREATE TABLE webhook_deliveries (
  webhook_id TEXT NOT NULL,
  id TEXT NOT NULL,
  -- Unix milliseconds, of one node never the same twice.
  made_at INTEGER NOT NULL,
  -- JSON, as the API answers it.
  delivery TEXT NOT NULL,
  PRIMARY KEY (webhook_id, id)
);

-- Scans and imports of websites, as the nodes that run them tell.
CREATE TABLE import_jobs (
  id TEXT PRIMARY KEY,
  -- What it imports into; of one target there is only one import at a time. Empty for scans.
  target TEXT NOT NULL,
  -- JSON, as the API answers it without log and result.
  summary TEXT NOT NULL,
  -- JSON; empty before the end.
  result TEXT NOT NULL,
  -- When the node that runs it was last heard of. Unix seconds.
  heard_at INTEGER NOT NULL,
  -- Whether somebody has cancelled it on another node.
  is_cancelled INTEGER NOT NULL
);

CREATE TABLE import_job_log (
  job_id TEXT NOT NULL,
  -- Place in the log, from 0.
  place INTEGER NOT NULL,
  -- JSON
  entry TEXT NOT NULL,
  PRIMARY KEY (job_id, place)
);
