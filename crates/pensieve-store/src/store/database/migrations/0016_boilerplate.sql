-- Repetition of lines and of quoted mails, in bytes of clean texts; see 0015. Ledgers are made again.

-- Blocks of lines at the ends of a document that recur in many documents of its format.
CREATE TABLE boilerplate(
  file_id INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
  start_index INTEGER NOT NULL,
  end_index INTEGER NOT NULL,
  -- Of its words: the same in any document.
  hash INTEGER NOT NULL,
  PRIMARY KEY(file_id, start_index)
) WITHOUT ROWID;

-- Runs of words that a mail has of the mail that it answers, shorter ones than `repeats` has.
CREATE TABLE quotes(
  file_id INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
  start_index INTEGER NOT NULL,
  end_index INTEGER NOT NULL,
  of_file_id INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
  of_start INTEGER NOT NULL,
  of_end INTEGER NOT NULL,
  PRIMARY KEY(file_id, start_index)
) WITHOUT ROWID;
-- Serves the mails that quote one, and the removal of its row.
CREATE INDEX quotes_by_first ON quotes(of_file_id);

-- Keys of the lines at the ends of a document, five bytes each, in ascending order.
ALTER TABLE sketches ADD COLUMN lines BLOB NOT NULL DEFAULT x'';
