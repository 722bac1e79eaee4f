-- What the clean text says of its document, as JSON: its language, and the fields of its front matter.
ALTER TABLE text_versions ADD COLUMN text_facts TEXT;

-- The fields by which documents are found, in one vocabulary and one form of values: they follow from `metadata` and
-- `text_facts`, and are made anew with them.
CREATE TABLE document_fields(
  file_id INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  field TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY(file_id, seq)
) WITHOUT ROWID;
-- Serves the filters of a search: every value of a field, each once, with its documents.
CREATE INDEX document_fields_by_value ON document_fields(field, value);
