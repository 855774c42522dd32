-- additive
-- How far pages were checked after changes, so that no check is lost with the process that began it.
CREATE TABLE page_checks (
  id INTEGER PRIMARY KEY,
  -- Version of the content; written some seconds later.
  seq INTEGER NOT NULL
);
