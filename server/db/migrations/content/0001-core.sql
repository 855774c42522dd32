-- Content: data that editors and API clients write. Column names are the field names of the specification.
-- Flags are 0 or 1, times are Unix seconds, JSON columns hold text or NULL.

CREATE TABLE pages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  parent_id INTEGER REFERENCES pages (id),
  root_id INTEGER NOT NULL,
  slug TEXT NOT NULL,
  -- URL path from the slugs of the page and its ancestors; '/' for a root page. Renames and moves update it
  -- in the same transaction.
  path TEXT NOT NULL,
  sort INTEGER NOT NULL,
  title TEXT NOT NULL,
  meta_title TEXT NOT NULL DEFAULT '',
  html TEXT NOT NULL DEFAULT '',
  head TEXT NOT NULL DEFAULT '',
  description TEXT NOT NULL DEFAULT '',
  html_attrs TEXT NOT NULL DEFAULT '',
  body_attrs TEXT NOT NULL DEFAULT '',
  lang TEXT NOT NULL DEFAULT '',
  translation_group TEXT NOT NULL DEFAULT '',
  published INTEGER NOT NULL DEFAULT 0,
  catch_all INTEGER NOT NULL DEFAULT 0,
  no_cache INTEGER NOT NULL DEFAULT 0,
  sitemap_exclude INTEGER NOT NULL DEFAULT 0,
  noindex INTEGER NOT NULL DEFAULT 0,
  nofollow INTEGER NOT NULL DEFAULT 0,
  hide_in_nav INTEGER NOT NULL DEFAULT 0,
  sitemap_source TEXT,
  source_url TEXT NOT NULL DEFAULT '',
  import_root INTEGER NOT NULL DEFAULT 0,
  local_modified INTEGER NOT NULL DEFAULT 0,
  domains TEXT NOT NULL DEFAULT '',
  default_site INTEGER NOT NULL DEFAULT 0,
  notfound_page_id INTEGER NOT NULL DEFAULT 0,
  og_image_file_id INTEGER NOT NULL DEFAULT 0,
  favicon_file_id INTEGER NOT NULL DEFAULT 0,
  robots_txt TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX pages_path ON pages (root_id, path);
CREATE UNIQUE INDEX pages_slug ON pages (parent_id, slug);
CREATE INDEX pages_order ON pages (parent_id, sort);

-- One row per domain of a website, so that a domain belongs to at most one of them.
CREATE TABLE site_domains (
  domain TEXT PRIMARY KEY,
  root_id INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE
);

CREATE TABLE assets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  content TEXT NOT NULL DEFAULT '',
  folder TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);

CREATE TABLE page_assets (
  page_id INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  asset_id INTEGER NOT NULL REFERENCES assets (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  inherit INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (page_id, asset_id)
);
CREATE INDEX page_assets_asset ON page_assets (asset_id);

CREATE TABLE snippets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL DEFAULT '',
  content TEXT NOT NULL DEFAULT '',
  folder TEXT NOT NULL DEFAULT '',
  schema TEXT,
  page_layout TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);

CREATE TABLE snippet_assets (
  snippet_id INTEGER NOT NULL REFERENCES snippets (id) ON DELETE CASCADE,
  asset_id INTEGER NOT NULL REFERENCES assets (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  PRIMARY KEY (snippet_id, asset_id)
);
CREATE INDEX snippet_assets_asset ON snippet_assets (asset_id);

CREATE TABLE tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  prefix TEXT NOT NULL,
  -- SHA-256 of the whole token, hex; the token itself is never stored.
  hash TEXT NOT NULL UNIQUE,
  can_write INTEGER NOT NULL,
  created_at INTEGER NOT NULL
);

CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
);
