-- Tables of the current clean texts. Their cells are not stored: they follow from the text and the layout.
CREATE TABLE tables(
  table_id INTEGER PRIMARY KEY AUTOINCREMENT,
  file_id INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
  number INTEGER NOT NULL,
  title TEXT,
  heading_path TEXT,
  locator TEXT,
  columns INTEGER NOT NULL,
  rows INTEGER NOT NULL,
  header_rows INTEGER NOT NULL,
  start_index INTEGER NOT NULL,
  end_index INTEGER NOT NULL,
  layout TEXT NOT NULL,
  labels TEXT NOT NULL
);
-- Serves a file's tables in order, their replacement, and the table at a place of its text.
CREATE UNIQUE INDEX tables_by_file ON tables(file_id, number);
-- How many tables a clean text has; NULL until somebody has looked.
ALTER TABLE text_versions ADD COLUMN tables INTEGER;
-- Serves the texts in which tables are to be looked for; empty when a run has ended.
CREATE INDEX text_versions_without_tables ON text_versions(file_id) WHERE is_current AND variant = 'clean' AND tables IS NULL;
