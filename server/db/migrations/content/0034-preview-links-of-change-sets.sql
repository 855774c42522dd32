-- additive
-- A link may show a whole website with a change set; its page is then the home page.
ALTER TABLE preview_links ADD COLUMN change_set_id INTEGER REFERENCES change_sets (id) ON DELETE CASCADE;
CREATE INDEX preview_links_of_sets ON preview_links (change_set_id) WHERE change_set_id IS NOT NULL;
