-- Search in scripts that put no space between words. unicode61 takes a run of such letters for one word; this table is
-- filled with the text of the chunks that hold any, each such letter set apart by spaces, so that a phrase of letters
-- finds any part of a run. The text itself is not kept a second time. rowid is chunks.chunk_id.
CREATE VIRTUAL TABLE chunks_fts_unspaced USING fts5(
  content, content='', tokenize='unicode61 remove_diacritics 2'
);
