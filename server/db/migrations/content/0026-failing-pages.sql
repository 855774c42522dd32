-- additive
-- Pages that visitors cannot see, because they cannot be rendered.
CREATE TABLE failing_pages (
  root_id INTEGER NOT NULL,
  path TEXT NOT NULL,
  -- With which query it fails, without what could name a person.
  query TEXT NOT NULL,
  page_id INTEGER NOT NULL,
  error TEXT NOT NULL,
  -- Empty, and 0 for line and column, where it is not known.
  template TEXT NOT NULL,
  template_line INTEGER NOT NULL,
  template_column INTEGER NOT NULL,
  -- Unix seconds.
  since INTEGER NOT NULL,
  -- JSON of the change that broke it, or null.
  cause TEXT NOT NULL,
  found_by TEXT NOT NULL,
  PRIMARY KEY (root_id, path)
);

-- The feed tells of it, so the content gets a version. No page shows it: a kind of which that is true, and which nodes
-- of the program before know.
CREATE TRIGGER failing_pages_created AFTER INSERT ON failing_pages BEGIN
  INSERT INTO changes (kind, id, action) VALUES ('pen', 0, 'created');
END;
