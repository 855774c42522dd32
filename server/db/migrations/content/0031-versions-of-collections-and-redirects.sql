-- Collections and redirects have versions from now on. Every deletion of an object also deletes its versions.
CREATE TRIGGER collections_revisions AFTER DELETE ON collections BEGIN
  DELETE FROM revisions WHERE kind = 'collection' AND object_id = OLD.id;
END;
CREATE TRIGGER redirects_revisions AFTER DELETE ON redirects BEGIN
  DELETE FROM revisions WHERE kind = 'redirect' AND object_id = OLD.id;
END;
CREATE TRIGGER collections_state_authors AFTER DELETE ON collections BEGIN
  DELETE FROM state_authors WHERE kind = 'collection' AND object_id = OLD.id;
END;
CREATE TRIGGER redirects_state_authors AFTER DELETE ON redirects BEGIN
  DELETE FROM state_authors WHERE kind = 'redirect' AND object_id = OLD.id;
END;
