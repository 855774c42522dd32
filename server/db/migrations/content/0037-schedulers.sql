-- additive
-- Who has scheduled a change set: JSON of the user or token, whose rights count when it is due. Null: nobody is asked.
ALTER TABLE change_sets ADD COLUMN scheduled_by TEXT;
