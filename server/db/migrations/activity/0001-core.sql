-- Activity: what visitors and machines leave behind. Losing the last moments of it is acceptable; dirtying or
-- delaying content for it is not, hence a database of its own.

CREATE TABLE token_usage (
  token_id INTEGER PRIMARY KEY,
  last_used_at INTEGER NOT NULL
);
