-- Vectors of chunks, keyed by content: a chunk keeps its vectors wherever and however often it occurs, and when it comes back.
-- `vector` is little-endian without a header. `prefix` is the text that was put before the chunk.
CREATE TABLE vectors(
  content_hash TEXT NOT NULL,
  model TEXT NOT NULL,
  dimensions INTEGER NOT NULL,
  format TEXT NOT NULL CHECK(format IN ('f16', 'f32', 'i8')),
  vector BLOB NOT NULL,
  created_at TEXT NOT NULL,
  prefix TEXT NOT NULL DEFAULT '',
  PRIMARY KEY(content_hash, model, dimensions)
);

-- Models that have vectors. `is_native` is 1 for the dimensions that a model gives when none are asked for.
CREATE TABLE vector_models(
  model TEXT NOT NULL,
  dimensions INTEGER NOT NULL,
  is_native BOOLEAN NOT NULL,
  PRIMARY KEY(model, dimensions)
) WITHOUT ROWID;

-- Chunks that were removed while they had vectors, with the latest run at that time. A chunk that came back may still be here.
CREATE TABLE vector_orphans(
  content_hash TEXT PRIMARY KEY,
  run_id INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TRIGGER chunks_with_vectors_removed AFTER DELETE ON chunks
WHEN EXISTS (SELECT 1 FROM vectors WHERE content_hash = old.content_hash) BEGIN
  INSERT OR REPLACE INTO vector_orphans SELECT old.content_hash, coalesce(max(run_id), 0) FROM runs;
END;
