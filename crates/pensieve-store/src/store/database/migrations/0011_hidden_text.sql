-- Text that nobody can see in a document: left out of its text and chunks, and listed here. Until now some readers listed
-- it in `metadata`; the program moves these rows when it brings a database up to this schema.
CREATE TABLE hidden_text(
  file_id INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN ('not_displayed', 'not_painted', 'transparent', 'same_colour', 'covered',
    'tiny', 'off_page', 'clipped')),
  locator TEXT,
  chars INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (file_id, seq)
) WITHOUT ROWID;
