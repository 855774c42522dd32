-- Activity: data that visits and API calls produce. Losing the last writes is acceptable. Activity must not
-- delay or change content, so it has its own database.

CREATE TABLE token_usage (
  token_id INTEGER PRIMARY KEY,
  last_used_at INTEGER NOT NULL
);
