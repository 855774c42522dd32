-- additive
-- The words of a page by the names of its regions.
ALTER TABLE pages ADD COLUMN regions TEXT NOT NULL DEFAULT '{}';
