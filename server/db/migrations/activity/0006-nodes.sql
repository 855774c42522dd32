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
