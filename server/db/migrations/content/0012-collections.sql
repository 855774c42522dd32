-- Collections and their entries, and REST sources. JSON columns hold text.

-- Templates stored before collections existed are analysed again, for the collections that they name.
INSERT INTO reference_backlog SELECT 'page', id FROM pages WHERE true ON CONFLICT DO NOTHING;
INSERT INTO reference_backlog SELECT 'snippet', id FROM snippets WHERE true ON CONFLICT DO NOTHING;

CREATE TABLE collections (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  folder TEXT NOT NULL DEFAULT '',
  public_api INTEGER NOT NULL DEFAULT 0,
  live INTEGER NOT NULL DEFAULT 0,
  singleton INTEGER NOT NULL DEFAULT 0,
  detail_page_id INTEGER NOT NULL DEFAULT 0,
  detail_field TEXT NOT NULL DEFAULT 'slug',
  lang TEXT NOT NULL DEFAULT '',
  fields TEXT NOT NULL DEFAULT '[]',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE INDEX collections_detail_page ON collections (detail_page_id) WHERE detail_page_id <> 0;

-- `data` comes last, so that the other columns of a long entry are read without it.
CREATE TABLE items (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  collection_id INTEGER NOT NULL REFERENCES collections (id),
  sort INTEGER NOT NULL,
  published INTEGER NOT NULL DEFAULT 1,
  translation_group TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  data TEXT NOT NULL
);
CREATE INDEX items_order ON items (collection_id, sort, id);
CREATE INDEX items_translations ON items (translation_group) WHERE translation_group <> '';

-- How many entries a collection has, because counting a million of them takes long. In a table of its own, so
-- that a new entry is no change of its collection.
CREATE TABLE item_counts (
  collection_id INTEGER PRIMARY KEY REFERENCES collections (id) ON DELETE CASCADE,
  items INTEGER NOT NULL DEFAULT 0,
  published INTEGER NOT NULL DEFAULT 0
);
CREATE TRIGGER collections_count AFTER INSERT ON collections BEGIN
  INSERT INTO item_counts (collection_id) VALUES (NEW.id);
END;
CREATE TRIGGER items_count_created AFTER INSERT ON items BEGIN
  UPDATE item_counts SET items = items + 1, published = published + NEW.published
  WHERE collection_id = NEW.collection_id;
END;
CREATE TRIGGER items_count_updated AFTER UPDATE OF published ON items WHEN NEW.published <> OLD.published BEGIN
  UPDATE item_counts SET published = published + NEW.published - OLD.published
  WHERE collection_id = NEW.collection_id;
END;
CREATE TRIGGER items_count_deleted AFTER DELETE ON items BEGIN
  UPDATE item_counts SET items = items - 1, published = published - OLD.published
  WHERE collection_id = OLD.collection_id;
END;

-- A change of very many entries of a collection is announced by a row here, which its transaction deletes
-- again. The log then says once that all entries of the collection have changed.
CREATE TABLE bulk_items (collection_id INTEGER PRIMARY KEY);
CREATE TRIGGER bulk_items_begun AFTER INSERT ON bulk_items BEGIN
  INSERT INTO changes (kind, id, action) VALUES ('items', NEW.collection_id, 'updated');
END;

-- In the log `parent_id` of an entry is its collection, and `name` a JSON list with `field=value` for each short
-- text, whole number and flag, and for each number in a list: what lists of entries are selected by.
CREATE TRIGGER items_created AFTER INSERT ON items BEGIN
  INSERT INTO changes (kind, id, action, parent_id, name)
  SELECT 'item', NEW.id, 'created', NEW.collection_id, (SELECT json_group_array(pair) FROM (
    SELECT key || '=' || value AS pair FROM json_each(NEW.data)
    WHERE type IN ('text', 'integer', 'true', 'false') AND length(value) <= 200
    UNION ALL
    SELECT field.key || '=' || entry.value FROM json_each(NEW.data) AS field, json_each(field.value) AS entry
    WHERE field.type = 'array' AND entry.type = 'integer'
  ))
  WHERE NOT EXISTS (SELECT 1 FROM bulk_items WHERE collection_id = NEW.collection_id);
END;
CREATE TRIGGER items_updated AFTER UPDATE ON items BEGIN
  INSERT INTO changes (kind, id, action, parent_id, name, was_parent_id, was_name)
  SELECT 'item', NEW.id, 'updated', NEW.collection_id, (SELECT json_group_array(pair) FROM (
    SELECT key || '=' || value AS pair FROM json_each(NEW.data)
    WHERE type IN ('text', 'integer', 'true', 'false') AND length(value) <= 200
    UNION ALL
    SELECT field.key || '=' || entry.value FROM json_each(NEW.data) AS field, json_each(field.value) AS entry
    WHERE field.type = 'array' AND entry.type = 'integer'
  )), OLD.collection_id, (SELECT json_group_array(pair) FROM (
    SELECT key || '=' || value AS pair FROM json_each(OLD.data)
    WHERE type IN ('text', 'integer', 'true', 'false') AND length(value) <= 200
    UNION ALL
    SELECT field.key || '=' || entry.value FROM json_each(OLD.data) AS field, json_each(field.value) AS entry
    WHERE field.type = 'array' AND entry.type = 'integer'
  ))
  WHERE NOT EXISTS (SELECT 1 FROM bulk_items WHERE collection_id = NEW.collection_id);
END;
CREATE TRIGGER items_deleted AFTER DELETE ON items BEGIN
  INSERT INTO changes (kind, id, action, was_parent_id, was_name)
  SELECT 'item', OLD.id, 'deleted', OLD.collection_id, (SELECT json_group_array(pair) FROM (
    SELECT key || '=' || value AS pair FROM json_each(OLD.data)
    WHERE type IN ('text', 'integer', 'true', 'false') AND length(value) <= 200
    UNION ALL
    SELECT field.key || '=' || entry.value FROM json_each(OLD.data) AS field, json_each(field.value) AS entry
    WHERE field.type = 'array' AND entry.type = 'integer'
  ))
  WHERE NOT EXISTS (SELECT 1 FROM bulk_items WHERE collection_id = OLD.collection_id);
END;

CREATE TRIGGER collections_created AFTER INSERT ON collections BEGIN
  INSERT INTO changes (kind, id, action, name) VALUES ('collection', NEW.id, 'created', NEW.slug);
END;
CREATE TRIGGER collections_updated AFTER UPDATE ON collections BEGIN
  INSERT INTO changes (kind, id, action, name, was_name)
  VALUES ('collection', NEW.id, 'updated', NEW.slug, OLD.slug);
END;
CREATE TRIGGER collections_deleted AFTER DELETE ON collections BEGIN
  INSERT INTO changes (kind, id, action, was_name) VALUES ('collection', OLD.id, 'deleted', OLD.slug);
END;

-- Every deletion of an object also deletes its versions and references.
CREATE TRIGGER items_revisions AFTER DELETE ON items BEGIN
  DELETE FROM revisions WHERE kind = 'item' AND object_id = OLD.id;
END;
CREATE TRIGGER items_references AFTER DELETE ON items BEGIN
  DELETE FROM object_references WHERE kind = 'item' AND object_id = OLD.id;
END;
CREATE TRIGGER collections_references AFTER DELETE ON collections BEGIN
  DELETE FROM object_references WHERE kind = 'collection' AND object_id = OLD.id;
END;
CREATE TRIGGER pages_detail_page AFTER DELETE ON pages BEGIN
  UPDATE collections SET detail_page_id = 0 WHERE detail_page_id = OLD.id;
END;

CREATE TABLE sources (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  method TEXT NOT NULL,
  url TEXT NOT NULL,
  headers TEXT NOT NULL,
  body TEXT NOT NULL,
  list_path TEXT NOT NULL,
  cache_ttl INTEGER NOT NULL,
  timeout INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE TRIGGER sources_created AFTER INSERT ON sources BEGIN
  INSERT INTO changes (kind, id, action, name) VALUES ('source', NEW.id, 'created', NEW.slug);
END;
CREATE TRIGGER sources_updated AFTER UPDATE ON sources BEGIN
  INSERT INTO changes (kind, id, action, name, was_name)
  VALUES ('source', NEW.id, 'updated', NEW.slug, OLD.slug);
END;
CREATE TRIGGER sources_deleted AFTER DELETE ON sources BEGIN
  INSERT INTO changes (kind, id, action, was_name) VALUES ('source', OLD.id, 'deleted', OLD.slug);
END;
