-- Under which ID, and path, another instance knows an object that came from there with a bundle. Entries are here only
-- if their ID differs; files always, because a file that is not here was uploaded on this instance.
CREATE TABLE bundle_ids (
  -- `file` or `item`.
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  origin_id INTEGER NOT NULL,
  -- Of files only.
  origin_path TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (kind, id)
) WITHOUT ROWID;

-- An import may move live entries to another ID of their collection; their versions stay.
CREATE TRIGGER items_count_moved AFTER UPDATE OF collection_id ON items
WHEN NEW.collection_id <> OLD.collection_id BEGIN
  UPDATE item_counts SET items = items - 1, published = published - OLD.published
  WHERE collection_id = OLD.collection_id;
  UPDATE item_counts SET items = items + 1, published = published + OLD.published
  WHERE collection_id = NEW.collection_id;
END;
