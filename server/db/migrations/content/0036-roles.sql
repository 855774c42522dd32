-- Roles of users and tokens. An older program would treat everybody as an administrator, so this is not additive.
CREATE TABLE roles (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  builtin INTEGER NOT NULL,
  -- Whether its users need a second factor.
  require_factor INTEGER NOT NULL,
  -- JSON list of grants.
  grants TEXT NOT NULL
);
INSERT INTO roles (id, name, description, builtin, require_factor, grants) VALUES
  (1, 'administrator', 'May do everything.', 1, 0,
    '[{"actions":["read","edit","publish","delete","code","run","settings","users"],"on":{}}]'),
  (2, 'developer', 'Writes content, templates and code, and runs workflows.', 1, 0,
    '[{"actions":["read","edit","publish","delete","code","run"],"on":{}}]'),
  (3, 'editor', 'Writes, publishes and deletes content.', 1, 0,
    '[{"actions":["read","edit","publish","delete"],"on":{}}]'),
  (4, 'author', 'Prepares content that others publish.', 1, 0, '[{"actions":["read","edit"],"on":{}}]'),
  (5, 'viewer', 'Looks at everything.', 1, 0, '[{"actions":["read"],"on":{}}]');

-- JSON lists of the IDs of roles. Everybody who is there has been an administrator.
ALTER TABLE users ADD COLUMN role_ids TEXT NOT NULL DEFAULT '[1]';
-- Null for tokens that read or write everything.
ALTER TABLE tokens ADD COLUMN role_ids TEXT;
-- Unix seconds.
ALTER TABLE tokens ADD COLUMN expires_at INTEGER;
-- The user whose rights limit the token, and with whom it ends.
ALTER TABLE tokens ADD COLUMN owner_id INTEGER REFERENCES users (id) ON DELETE CASCADE;
CREATE INDEX tokens_by_owner ON tokens (owner_id);
