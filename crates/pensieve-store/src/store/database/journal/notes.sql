-- Temporary tables and triggers of a connection that writes. They note, within the open transaction, which places of
-- chunks are no longer as they were. `former` has the columns of a place before the transaction; NULL: it was not there.
CREATE TEMP TABLE IF NOT EXISTS noted_places(
  chunk_id INTEGER NOT NULL,
  file_id INTEGER NOT NULL,
  start_index INTEGER NOT NULL,
  content_hash TEXT,
  doc_uid TEXT,
  former TEXT,
  is_renamed INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY(chunk_id, file_id, start_index)
) WITHOUT ROWID;
CREATE TEMP TABLE IF NOT EXISTS noted_files(file_id INTEGER PRIMARY KEY);
-- The run that the changes belong to.
CREATE TEMP TABLE IF NOT EXISTS noting_run(run_id INTEGER NOT NULL);

CREATE TEMP VIEW IF NOT EXISTS current_places(chunk_id, file_id, start_index, content_hash, doc_uid, place) AS
  SELECT s.chunk_id, s.file_id, s.start_index, c.content_hash, f.doc_uid,
         json_array(f.format, s.end_index, s.source_start, s.source_end, s.source_exact, s.locator, s.heading_path,
                    s.context)
  FROM main.chunk_sources s CROSS JOIN main.chunks c ON c.chunk_id = s.chunk_id
  CROSS JOIN main.files f ON f.file_id = s.file_id;

CREATE TEMP TRIGGER IF NOT EXISTS note_added_place AFTER INSERT ON main.chunk_sources BEGIN
  INSERT INTO noted_places(chunk_id, file_id, start_index) VALUES(NEW.chunk_id, NEW.file_id, NEW.start_index)
    ON CONFLICT DO NOTHING;
END;

CREATE TEMP TRIGGER IF NOT EXISTS note_removed_place BEFORE DELETE ON main.chunk_sources BEGIN
  INSERT INTO noted_places(chunk_id, file_id, start_index, content_hash, doc_uid, former)
    SELECT * FROM current_places
    WHERE (chunk_id, file_id, start_index) = (OLD.chunk_id, OLD.file_id, OLD.start_index)
    ON CONFLICT DO NOTHING;
END;

CREATE TEMP TRIGGER IF NOT EXISTS note_moved_place BEFORE UPDATE ON main.chunk_sources BEGIN
  INSERT INTO noted_places(chunk_id, file_id, start_index, content_hash, doc_uid, former)
    SELECT * FROM current_places
    WHERE (chunk_id, file_id, start_index) = (OLD.chunk_id, OLD.file_id, OLD.start_index)
    ON CONFLICT DO NOTHING;
  INSERT INTO noted_places(chunk_id, file_id, start_index) VALUES(NEW.chunk_id, NEW.file_id, NEW.start_index)
    ON CONFLICT DO NOTHING;
END;

-- The places of a file go with its row; its name is known only before.
CREATE TEMP TRIGGER IF NOT EXISTS note_removed_file BEFORE DELETE ON main.files BEGIN
  INSERT INTO noted_places(chunk_id, file_id, start_index, content_hash, doc_uid, former)
    SELECT * FROM current_places WHERE file_id = OLD.file_id
    ON CONFLICT DO NOTHING;
  INSERT INTO noted_files(file_id)
    SELECT file_id FROM files WHERE hash = OLD.hash AND is_canonical AND file_id <> OLD.file_id
    ON CONFLICT DO NOTHING;
END;

-- A copy that comes or goes changes what is known of the places of the file that was read.
CREATE TEMP TRIGGER IF NOT EXISTS note_added_file AFTER INSERT ON main.files WHEN NEW.hash IS NOT NULL BEGIN
  INSERT INTO noted_files(file_id)
    SELECT file_id FROM files WHERE hash = NEW.hash AND is_canonical AND file_id <> NEW.file_id
    ON CONFLICT DO NOTHING;
END;

CREATE TEMP TRIGGER IF NOT EXISTS note_changed_copy AFTER UPDATE OF hash, processing_status ON main.files
WHEN OLD.hash IS NOT NEW.hash OR (OLD.processing_status IS 'Deleted') <> (NEW.processing_status IS 'Deleted')
BEGIN
  INSERT INTO noted_files(file_id)
    SELECT file_id FROM files
    WHERE hash IN (OLD.hash, NEW.hash) AND is_canonical
      AND (file_id <> NEW.file_id OR OLD.duplicate_status IS 'canonical')
    ON CONFLICT DO NOTHING;
END;

-- The file that was read has its first copy, or lost its last one.
CREATE TEMP TRIGGER IF NOT EXISTS note_file_with_copies AFTER UPDATE OF duplicate_status ON main.files
WHEN (OLD.duplicate_status IS 'canonical') <> (NEW.duplicate_status IS 'canonical')
BEGIN
  INSERT INTO noted_files(file_id) VALUES(NEW.file_id) ON CONFLICT DO NOTHING;
END;

CREATE TEMP TRIGGER IF NOT EXISTS note_renamed_file AFTER UPDATE OF relative_path, full_filepath, filename ON main.files
WHEN OLD.full_filepath IS NOT NEW.full_filepath OR OLD.relative_path IS NOT NEW.relative_path
  OR OLD.filename IS NOT NEW.filename
BEGIN
  INSERT INTO noted_files(file_id)
    SELECT NEW.file_id UNION SELECT file_id FROM files WHERE hash = NEW.hash AND is_canonical
    ON CONFLICT DO NOTHING;
END;
