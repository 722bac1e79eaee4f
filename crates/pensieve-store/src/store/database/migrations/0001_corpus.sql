-- The corpus: files, their texts, and chunks with every place that they stand in.
-- Times are UTC ISO-8601 TEXT with milliseconds; hashes are lower-case hex TEXT; paths are UTF-8 (exact bytes beside).

CREATE TABLE roots(
  root_id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  path_bytes BLOB
);

CREATE TABLE files(
  file_id INTEGER PRIMARY KEY AUTOINCREMENT,
  root_id INTEGER NOT NULL REFERENCES roots ON DELETE CASCADE,
  doc_uid TEXT NOT NULL UNIQUE,
  full_filepath TEXT NOT NULL UNIQUE,
  relative_path TEXT NOT NULL,
  folder_path TEXT NOT NULL,
  filename TEXT NOT NULL,
  file_extension TEXT NOT NULL,
  file_type TEXT NOT NULL CHECK(file_type IN ('file', 'folder', 'symlink', 'special', 'member')),
  parent_file_id INTEGER REFERENCES files ON DELETE CASCADE,
  member TEXT,
  size_bytes INTEGER NOT NULL,
  hash TEXT,
  creation_date TEXT,
  modification_date TEXT,
  access_date TEXT,
  permissions TEXT,
  mtime_s INTEGER,
  mtime_ns INTEGER,
  ctime_s INTEGER,
  ctime_ns INTEGER,
  inode INTEGER,
  device INTEGER,
  depth_level INTEGER NOT NULL,
  is_hidden BOOLEAN NOT NULL,
  is_symlink BOOLEAN NOT NULL,
  symlink_target TEXT,
  path_bytes BLOB,
  mime_type TEXT,
  encoding TEXT,
  format TEXT,
  duplicate_status TEXT CHECK(duplicate_status IN ('unique', 'canonical', 'duplicate')),
  is_canonical BOOLEAN NOT NULL DEFAULT 0,
  duplicate_group_id INTEGER,
  estimated_tokens INTEGER,
  processing_status TEXT CHECK(processing_status IN
    ('Pending', 'Processed', 'Error', 'Skipped_Binary', 'Skipped_Dependency', 'Skipped_Limit', 'Deleted')),
  status_reason TEXT,
  extractor TEXT,
  settings_hash TEXT
);
-- Serves the grouping of duplicates and the recognition of renames.
CREATE INDEX files_by_hash ON files(hash) WHERE hash IS NOT NULL;
-- Serves the loading of one root's rows, and the removal of a root.
CREATE INDEX files_by_root ON files(root_id);
-- Serves the pages of rows that wait to be read; empty when a run has ended.
CREATE INDEX files_pending ON files(root_id, relative_path) WHERE processing_status = 'Pending';
-- Serves the cascade from a container to its members, and their listing.
CREATE INDEX files_by_parent ON files(parent_file_id) WHERE parent_file_id IS NOT NULL;

CREATE TABLE chunks(
  chunk_id INTEGER PRIMARY KEY AUTOINCREMENT,
  content_hash TEXT NOT NULL,
  content TEXT NOT NULL,
  estimated_tokens INTEGER NOT NULL,
  tokenizer_model TEXT NOT NULL
);
-- Serves deduplication and citation by hash. A first, large load drops it and builds it again at its end.
CREATE UNIQUE INDEX chunks_by_hash ON chunks(content_hash);

CREATE TABLE chunk_sources(
  chunk_id INTEGER NOT NULL REFERENCES chunks ON DELETE CASCADE,
  file_id INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
  start_index INTEGER NOT NULL,
  end_index INTEGER NOT NULL,
  chunking_strategy TEXT NOT NULL,
  source_start INTEGER,
  source_end INTEGER,
  source_exact INTEGER,
  locator TEXT,
  heading_path TEXT,
  context TEXT,
  PRIMARY KEY(chunk_id, file_id, start_index)
) WITHOUT ROWID;
-- Serves a file's chunks in order: neighbours, export, replacement.
CREATE INDEX chunk_sources_by_file ON chunk_sources(file_id, start_index);

CREATE TABLE texts(
  file_id INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
  variant TEXT NOT NULL CHECK(variant IN ('raw', 'clean')),
  version TEXT NOT NULL,
  segment INTEGER NOT NULL,
  start_index INTEGER NOT NULL,
  char_start INTEGER NOT NULL,
  content BLOB NOT NULL,
  PRIMARY KEY(file_id, variant, version, segment)
);

CREATE TABLE text_maps(
  file_id INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
  variant TEXT NOT NULL,
  version TEXT NOT NULL,
  segment INTEGER NOT NULL,
  content BLOB NOT NULL,
  PRIMARY KEY(file_id, variant, version, segment)
) WITHOUT ROWID;

CREATE TABLE text_versions(
  file_id INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
  variant TEXT NOT NULL,
  version TEXT NOT NULL,
  is_current BOOLEAN NOT NULL,
  sha256 TEXT NOT NULL,
  byte_length INTEGER NOT NULL,
  char_length INTEGER NOT NULL,
  needs_review BOOLEAN NOT NULL DEFAULT 0,
  review_reasons TEXT NOT NULL DEFAULT '[]',
  extractor TEXT,
  settings_hash TEXT,
  created_at TEXT NOT NULL,
  PRIMARY KEY(file_id, variant, version)
) WITHOUT ROWID;

CREATE TABLE runs(
  run_id INTEGER PRIMARY KEY AUTOINCREMENT,
  root TEXT NOT NULL,
  started_at TEXT NOT NULL,
  finished_at TEXT,
  status TEXT NOT NULL,
  pensieve_version TEXT NOT NULL,
  settings TEXT NOT NULL,
  counts TEXT
);

CREATE TABLE errors(
  error_id INTEGER PRIMARY KEY AUTOINCREMENT,
  file_id INTEGER REFERENCES files ON DELETE CASCADE,
  run_id INTEGER REFERENCES runs ON DELETE SET NULL,
  path TEXT NOT NULL,
  timestamp TEXT NOT NULL,
  error_type TEXT NOT NULL,
  error_message TEXT NOT NULL
);
-- Serves the replacement of a file's problems when it is read again.
CREATE INDEX errors_by_file ON errors(file_id);

CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE metadata(
  file_id INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
  key TEXT NOT NULL,
  value TEXT NOT NULL
);
-- Serves a file's metadata and its replacement.
CREATE INDEX metadata_by_file ON metadata(file_id, key);

CREATE TABLE sections(
  file_id INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  level INTEGER NOT NULL,
  label TEXT NOT NULL,
  anchor TEXT,
  start_index INTEGER NOT NULL,
  end_index INTEGER NOT NULL,
  locator TEXT,
  PRIMARY KEY(file_id, seq)
) WITHOUT ROWID;

CREATE TABLE mails(
  file_id INTEGER PRIMARY KEY REFERENCES files ON DELETE CASCADE,
  message_id TEXT,
  in_reply_to TEXT,
  refs TEXT,
  date TEXT,
  thread_uid TEXT
);

CREATE VIRTUAL TABLE chunks_fts USING fts5(
  content, content="chunks", content_rowid="chunk_id", tokenize='unicode61 remove_diacritics 2'
);

CREATE VIEW corpus AS
  SELECT c.chunk_id, c.content, c.estimated_tokens AS tokens, f.full_filepath AS path, s.locator, s.heading_path,
         (SELECT count(*) FROM chunk_sources n WHERE n.chunk_id = c.chunk_id) AS sources
  FROM chunks c
  JOIN chunk_sources s ON s.chunk_id = c.chunk_id
   AND (s.file_id, s.start_index) =
       (SELECT m.file_id, m.start_index FROM chunk_sources m WHERE m.chunk_id = c.chunk_id
        ORDER BY m.file_id, m.start_index LIMIT 1)
  JOIN files f ON f.file_id = s.file_id;

CREATE VIEW paragraphs AS
  SELECT s.chunk_id, s.file_id, c.content FROM chunk_sources s JOIN chunks c USING(chunk_id);
