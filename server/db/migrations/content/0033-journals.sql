-- additive
-- What change sets, batches and imports have done, so that it can be reverted. No page shows it.
CREATE TABLE journals (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- `change_set`, `batch`, `import` or `author`.
  source TEXT NOT NULL,
  -- ID of the change set, key of the batch, ID of the job.
  key TEXT NOT NULL,
  -- Unix seconds.
  at INTEGER NOT NULL,
  -- Number of changed objects; of too many none is stored.
  objects INTEGER NOT NULL,
  -- The change set that has reverted it. Change sets say so themselves.
  reverted_by INTEGER,
  -- Packed JSON of what was changed besides the objects.
  effects TEXT NOT NULL
);
CREATE UNIQUE INDEX journals_by_key ON journals (source, key);
CREATE INDEX journals_by_time ON journals (at);

CREATE TABLE journal_objects (
  journal_id INTEGER NOT NULL REFERENCES journals (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  kind TEXT NOT NULL,
  object_id INTEGER NOT NULL,
  title TEXT NOT NULL,
  -- `create`, `update` or `delete`.
  op TEXT NOT NULL,
  -- Packed JSON of the changed fields before and after.
  fields TEXT NOT NULL,
  -- Of a deleted object: its entry in the trash.
  trash_id INTEGER,
  PRIMARY KEY (journal_id, position)
);
