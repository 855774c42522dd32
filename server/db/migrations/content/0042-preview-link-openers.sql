-- additive
-- Whom a link ends with, as `nameOpener` says it; empty for links that end only by time or deletion.
ALTER TABLE preview_links ADD COLUMN opened_by TEXT NOT NULL DEFAULT '';
