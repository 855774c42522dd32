-- Dead addresses that visitors requested, and the number of uses of each redirect.

CREATE TABLE notfound (
  root_id INTEGER NOT NULL,
  -- Normalised path.
  path TEXT NOT NULL,
  hits INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  referer TEXT NOT NULL,
  ignored INTEGER NOT NULL,
  PRIMARY KEY (root_id, path)
);
CREATE INDEX notfound_age ON notfound (root_id, ignored, last_at);

CREATE TABLE redirect_hits (
  redirect_id INTEGER PRIMARY KEY,
  root_id INTEGER NOT NULL,
  hits INTEGER NOT NULL,
  last_hit_at INTEGER NOT NULL
);
CREATE INDEX redirect_hits_site ON redirect_hits (root_id);
