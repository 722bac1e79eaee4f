-- Compares what was noted in the open transaction with what is there now, and writes one row for each difference.
INSERT INTO temp.noted_places(chunk_id, file_id, start_index, is_renamed)
  SELECT s.chunk_id, s.file_id, s.start_index, 1
  FROM temp.noted_files n CROSS JOIN main.chunk_sources s ON s.file_id = n.file_id
  WHERE true ON CONFLICT DO UPDATE SET is_renamed = 1;

INSERT INTO main.changes(run_id, op, content_hash, doc_uid, start_index)
  SELECT (SELECT run_id FROM temp.noting_run), 'delete', p.content_hash, p.doc_uid, p.start_index
  FROM temp.noted_places p
  WHERE p.former IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM main.files f CROSS JOIN main.chunks c ON c.content_hash = p.content_hash
    CROSS JOIN main.chunk_sources s
      ON s.chunk_id = c.chunk_id AND s.file_id = f.file_id AND s.start_index = p.start_index
    WHERE f.doc_uid = p.doc_uid)
  ORDER BY p.doc_uid, p.start_index, p.content_hash;

INSERT INTO main.changes(run_id, op, content_hash, doc_uid, start_index)
  SELECT (SELECT run_id FROM temp.noting_run), 'upsert', now.content_hash, now.doc_uid, now.start_index
  FROM temp.noted_places p CROSS JOIN temp.current_places now
    ON (now.chunk_id, now.file_id, now.start_index) = (p.chunk_id, p.file_id, p.start_index)
  WHERE p.is_renamed OR p.former IS NOT now.place
  ORDER BY now.doc_uid, now.start_index, now.content_hash;

DELETE FROM temp.noted_places;
DELETE FROM temp.noted_files;
