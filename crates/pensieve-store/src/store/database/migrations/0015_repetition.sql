-- Repetition between documents, in bytes of their clean texts. It is kept where the configuration or `pensieve repeats` asks for
-- it; meta.repetition has the settings that it was made with, and meta.repetition_is_current is there while nothing has changed
-- since. Not part of the fingerprint.

-- Runs of words that an earlier document has.
CREATE TABLE repeats(
  file_id INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
  start_index INTEGER NOT NULL,
  end_index INTEGER NOT NULL,
  of_file_id INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
  of_start INTEGER NOT NULL,
  of_end INTEGER NOT NULL,
  PRIMARY KEY(file_id, start_index)
) WITHOUT ROWID;
-- Serves the documents that repeat one, and the removal of its row.
CREATE INDEX repeats_by_first ON repeats(of_file_id);

-- Pairs of documents that are nearly equal, the later one first.
CREATE TABLE near_documents(
  file_id INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
  of_file_id INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
  jaccard REAL NOT NULL,
  containment REAL NOT NULL,
  PRIMARY KEY(file_id, of_file_id)
) WITHOUT ROWID;
-- Serves the later ones of a document, and the removal of its row.
CREATE INDEX near_documents_by_first ON near_documents(of_file_id);

-- What finds documents that share words. Rows stay when their file goes: the next update compares what shared words with it.
CREATE TABLE sketches(
  file_id INTEGER PRIMARY KEY,
  -- Hash of what the entries of a document depend on: its text, and its place in the order of documents.
  state INTEGER NOT NULL,
  -- Keys of four bytes in ascending order; the last bit of each is 1 where no earlier document has all of its runs.
  keys BLOB NOT NULL,
  -- MinHash: parts of two bytes; NULL for a text with fewer words than a shingle.
  signature BLOB
);
