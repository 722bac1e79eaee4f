-- Digests of what is stored for a file, each written in the transaction of the change that it covers. SHA-256 as 32 bytes;
-- NULL where there is nothing to cover.

-- The lines that the fingerprint covers: the file's own, and the two digests that follow. NULL of deleted files.
ALTER TABLE files ADD COLUMN digest BLOB;
-- The places of its chunks.
ALTER TABLE files ADD COLUMN chunks_digest BLOB;
-- Its current texts.
ALTER TABLE files ADD COLUMN texts_digest BLOB;
-- What else is stored for it: all versions of its texts, metadata, sections, mail, open problems.
ALTER TABLE files ADD COLUMN details_digest BLOB;
-- The other columns of its row, except its absolute path.
ALTER TABLE files ADD COLUMN row_digest BLOB;

-- SHA-256 over the stored maps of a version, in the order of its segments.
ALTER TABLE text_versions ADD COLUMN maps_sha256 TEXT;
