-- additive
-- The time zone in which the templates of a website show times; empty = that of the server. Set on home pages only.
ALTER TABLE pages ADD COLUMN zone TEXT NOT NULL DEFAULT '';

-- All pages of the website show times in it: it counts for part 1.
DROP TRIGGER pages_updated;
CREATE TRIGGER pages_updated AFTER UPDATE ON pages BEGIN
  INSERT INTO changes (
    kind, id, action, parts,
    root_id, parent_id, name, translation_group,
    was_root_id, was_parent_id, was_name, was_translation_group
  )
  VALUES ('page', NEW.id, 'updated',
    CASE WHEN OLD.title <> NEW.title OR OLD.slug <> NEW.slug OR OLD.path <> NEW.path
        OR OLD.root_id <> NEW.root_id OR OLD.parent_id IS DISTINCT FROM NEW.parent_id
        OR OLD.lang <> NEW.lang OR OLD.published <> NEW.published OR OLD.domains <> NEW.domains
        OR OLD.default_site <> NEW.default_site OR OLD.notfound_page_id <> NEW.notfound_page_id
        OR OLD.robots_txt <> NEW.robots_txt OR OLD.zone <> NEW.zone
        OR OLD.og_image_file_id <> NEW.og_image_file_id OR OLD.favicon_file_id <> NEW.favicon_file_id
      THEN 1 ELSE 0 END
    + CASE WHEN OLD.title <> NEW.title OR OLD.slug <> NEW.slug OR OLD.path <> NEW.path
        OR OLD.root_id <> NEW.root_id OR OLD.parent_id IS DISTINCT FROM NEW.parent_id
        OR OLD.sort <> NEW.sort OR OLD.lang <> NEW.lang OR OLD.published <> NEW.published
        OR OLD.hide_in_nav <> NEW.hide_in_nav OR OLD.translation_group <> NEW.translation_group
      THEN 2 ELSE 0 END
    + CASE WHEN OLD.domains <> NEW.domains OR OLD.default_site <> NEW.default_site
      THEN 4 ELSE 0 END
    + CASE WHEN OLD.lang <> NEW.lang OR OLD.parent_id IS DISTINCT FROM NEW.parent_id
      THEN 8 ELSE 0 END
    + CASE WHEN OLD.catch_all <> NEW.catch_all
        OR (NEW.catch_all = 1 AND (OLD.path <> NEW.path OR OLD.root_id <> NEW.root_id
          OR OLD.published <> NEW.published))
      THEN 16 ELSE 0 END
    + CASE WHEN OLD.lang <> NEW.lang OR OLD.published <> NEW.published OR OLD.root_id <> NEW.root_id
        OR OLD.parent_id IS DISTINCT FROM NEW.parent_id
      THEN 32 ELSE 0 END,
    NEW.root_id, NEW.parent_id, NEW.path, NEW.translation_group,
    OLD.root_id, OLD.parent_id, OLD.path, OLD.translation_group);
END;
