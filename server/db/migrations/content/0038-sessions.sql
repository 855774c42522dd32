-- additive
-- Where a session was opened, and until when sensitive things may be done in it (Unix seconds).
ALTER TABLE sessions ADD COLUMN address TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN agent TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN confirmed_until INTEGER NOT NULL DEFAULT 0;
