-- additive
-- Who alone sees a change set of purpose `dev`: kind and ID of the caller that has made it. Null: everybody sees it.
ALTER TABLE change_sets ADD COLUMN owner TEXT;
