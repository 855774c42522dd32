-- additive
-- Bytes of the content. NULL: not measured yet, as after hashes of before and those of older programs.
ALTER TABLE file_hashes ADD COLUMN size INTEGER;
