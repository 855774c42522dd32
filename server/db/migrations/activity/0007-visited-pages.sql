-- additive
-- Pages that visitors have asked for in the last days, to be checked after changes.
CREATE TABLE visited_pages (
  root_id INTEGER NOT NULL,
  path TEXT NOT NULL,
  page_id INTEGER NOT NULL,
  -- Unix seconds; written at most once a day.
  asked_at INTEGER NOT NULL,
  PRIMARY KEY (root_id, path)
);
