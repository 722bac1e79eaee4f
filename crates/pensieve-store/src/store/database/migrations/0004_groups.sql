-- The first living row of a content is found at once, however many rows share it.
DROP INDEX files_by_hash;
CREATE INDEX files_by_hash ON files(hash, (processing_status = 'Deleted'), (file_type = 'member'), root_id, relative_path)
  WHERE hash IS NOT NULL;
