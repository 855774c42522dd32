-- Visitor statistics and the allocation lists of the registries.

-- Names of pages, referrers, browsers and so on.
CREATE TABLE statistics_names (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);

-- Sums of a website over spans of 1, 4, 16 and 64 days, so that a year needs few rows.
CREATE TABLE statistics (
  root_id INTEGER NOT NULL,
  -- See server/statistics/kinds.ts.
  kind INTEGER NOT NULL,
  -- Length of the span in days.
  span INTEGER NOT NULL,
  -- First day of the span, counted from 1970-01-01; a multiple of its length.
  day INTEGER NOT NULL,
  name_id INTEGER NOT NULL,
  -- The referrer of an arrival, else 0.
  other_id INTEGER NOT NULL,
  views INTEGER NOT NULL,
  visitors INTEGER NOT NULL,
  PRIMARY KEY (root_id, kind, span, day, name_id, other_id)
) WITHOUT ROWID;

-- What visitors of the current day have been counted for. The salt of `visitor` is not in the database.
CREATE TABLE statistics_seen (
  day INTEGER NOT NULL,
  root_id INTEGER NOT NULL,
  visitor INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  name_id INTEGER NOT NULL,
  other_id INTEGER NOT NULL,
  PRIMARY KEY (day, root_id, visitor, kind, name_id, other_id)
) WITHOUT ROWID;

CREATE TABLE country_lists (
  rir TEXT PRIMARY KEY,
  ranges INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  checked_at INTEGER NOT NULL,
  error TEXT NOT NULL,
  etag TEXT NOT NULL,
  last_modified TEXT NOT NULL,
  -- The ranges in the form of server/statistics/countries/list.ts, as base64.
  data TEXT NOT NULL
);
