-- Links that show a page to people without a login, and the index for the language versions of a page.

CREATE TABLE preview_links (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  page_id INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  -- SHA-256 of the token, hex; the token itself is never stored.
  hash TEXT NOT NULL UNIQUE,
  note TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
);
CREATE INDEX preview_links_page ON preview_links (page_id);

CREATE INDEX pages_translations ON pages (translation_group);
