-- Which entries refer to an entry, where templates filter by a field of references: an index cannot hold the parts
-- of a list. A set belongs to a field, and to the field by which its lists are sorted (empty = manual order).
-- `collections/indexes.ts` makes and drops sets; triggers keep their links right.

CREATE TABLE item_link_sets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  collection_id INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
  field TEXT NOT NULL,
  sort_field TEXT NOT NULL,
  descending INTEGER NOT NULL,
  UNIQUE (collection_id, field, sort_field, descending)
);

-- A stored list has no duplicates. `sort_key` is the value of the sorting field, of whatever type; `place` is the `sort` of the entry.
CREATE TABLE item_links (
  set_id INTEGER NOT NULL REFERENCES item_link_sets (id) ON DELETE CASCADE,
  descending INTEGER NOT NULL,
  to_id INTEGER NOT NULL,
  sort_key BLOB,
  place INTEGER NOT NULL,
  item_id INTEGER NOT NULL
);
CREATE INDEX item_links_up ON item_links (set_id, to_id, sort_key, place, item_id) WHERE descending = 0;
CREATE INDEX item_links_down ON item_links (set_id, to_id, sort_key DESC, place, item_id) WHERE descending = 1;
CREATE INDEX item_links_item ON item_links (item_id);

CREATE TRIGGER items_links_created AFTER INSERT ON items BEGIN
  INSERT INTO item_links (set_id, descending, to_id, sort_key, place, item_id)
  SELECT s.id, s.descending, linked.value,
    CASE s.sort_field WHEN '' THEN NULL ELSE json_extract(NEW.data, '$.' || s.sort_field) END, NEW.sort, NEW.id
  FROM item_link_sets AS s, json_each(NEW.data, '$.' || s.field) AS linked
  WHERE s.collection_id = NEW.collection_id AND linked.type = 'integer';
END;
CREATE TRIGGER items_links_updated AFTER UPDATE OF data, sort ON items BEGIN
  DELETE FROM item_links WHERE item_id = NEW.id;
  INSERT INTO item_links (set_id, descending, to_id, sort_key, place, item_id)
  SELECT s.id, s.descending, linked.value,
    CASE s.sort_field WHEN '' THEN NULL ELSE json_extract(NEW.data, '$.' || s.sort_field) END, NEW.sort, NEW.id
  FROM item_link_sets AS s, json_each(NEW.data, '$.' || s.field) AS linked
  WHERE s.collection_id = NEW.collection_id AND linked.type = 'integer';
END;
CREATE TRIGGER items_links_deleted AFTER DELETE ON items BEGIN
  DELETE FROM item_links WHERE item_id = OLD.id;
END;

-- The log also names the group of language versions of an entry, because a new version changes no row of the others.
DROP TRIGGER items_created;
CREATE TRIGGER items_created AFTER INSERT ON items BEGIN
  INSERT INTO changes (kind, id, action, parent_id, translation_group, name)
  SELECT 'item', NEW.id, 'created', NEW.collection_id, NEW.translation_group, (SELECT json_group_array(pair) FROM (
    SELECT key || '=' || value AS pair FROM json_each(NEW.data)
    WHERE type IN ('text', 'integer', 'true', 'false') AND length(value) <= 200
    UNION ALL
    SELECT field.key || '=' || entry.value FROM json_each(NEW.data) AS field, json_each(field.value) AS entry
    WHERE field.type = 'array' AND entry.type = 'integer'
  ))
  WHERE NOT EXISTS (SELECT 1 FROM bulk_items WHERE collection_id = NEW.collection_id);
END;
DROP TRIGGER items_updated;
CREATE TRIGGER items_updated AFTER UPDATE ON items BEGIN
  INSERT INTO changes (
    kind, id, action, parent_id, translation_group, name, was_parent_id, was_translation_group, was_name
  )
  SELECT 'item', NEW.id, 'updated', NEW.collection_id, NEW.translation_group, (
    SELECT json_group_array(pair) FROM (
      SELECT key || '=' || value AS pair FROM json_each(NEW.data)
      WHERE type IN ('text', 'integer', 'true', 'false') AND length(value) <= 200
      UNION ALL
      SELECT field.key || '=' || entry.value FROM json_each(NEW.data) AS field, json_each(field.value) AS entry
      WHERE field.type = 'array' AND entry.type = 'integer'
    )
  ), OLD.collection_id, OLD.translation_group, (
    SELECT json_group_array(pair) FROM (
      SELECT key || '=' || value AS pair FROM json_each(OLD.data)
      WHERE type IN ('text', 'integer', 'true', 'false') AND length(value) <= 200
      UNION ALL
      SELECT field.key || '=' || entry.value FROM json_each(OLD.data) AS field, json_each(field.value) AS entry
      WHERE field.type = 'array' AND entry.type = 'integer'
    )
  )
  WHERE NOT EXISTS (SELECT 1 FROM bulk_items WHERE collection_id = NEW.collection_id);
END;
DROP TRIGGER items_deleted;
CREATE TRIGGER items_deleted AFTER DELETE ON items BEGIN
  INSERT INTO changes (kind, id, action, was_parent_id, was_translation_group, was_name)
  SELECT 'item', OLD.id, 'deleted', OLD.collection_id, OLD.translation_group, (
    SELECT json_group_array(pair) FROM (
      SELECT key || '=' || value AS pair FROM json_each(OLD.data)
      WHERE type IN ('text', 'integer', 'true', 'false') AND length(value) <= 200
      UNION ALL
      SELECT field.key || '=' || entry.value FROM json_each(OLD.data) AS field, json_each(field.value) AS entry
      WHERE field.type = 'array' AND entry.type = 'integer'
    )
  )
  WHERE NOT EXISTS (SELECT 1 FROM bulk_items WHERE collection_id = OLD.collection_id);
END;
