-- Where imported objects come from, so that a website can be imported again. No page shows any of it.

-- The source of a page as it was at its last import. Its address is in `pages.source_url`.
CREATE TABLE imported_pages (
  page_id INTEGER PRIMARY KEY REFERENCES pages (id) ON DELETE CASCADE,
  -- SHA-256 of the source, hexadecimal.
  hash TEXT NOT NULL,
  -- Headers of the answer; empty if it had none.
  etag TEXT NOT NULL,
  last_modified TEXT NOT NULL
);
CREATE INDEX pages_imported ON pages (import_root) WHERE import_root <> 0;

CREATE TABLE imported_files (
  file_id INTEGER PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE,
  root_id INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  hash TEXT NOT NULL,
  etag TEXT NOT NULL,
  last_modified TEXT NOT NULL,
  UNIQUE (root_id, url)
);

CREATE TABLE imported_assets (
  asset_id INTEGER PRIMARY KEY REFERENCES assets (id) ON DELETE CASCADE,
  root_id INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  -- SHA-256 of the content that the import has written: another content was edited here.
  hash TEXT NOT NULL,
  etag TEXT NOT NULL,
  last_modified TEXT NOT NULL,
  UNIQUE (root_id, url)
);

-- Hosts that a website has been imported with, by the host of its source.
CREATE TABLE import_hosts (
  root_id INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  source TEXT NOT NULL,
  -- List of hosts as JSON.
  hosts TEXT NOT NULL,
  PRIMARY KEY (root_id, source)
);
