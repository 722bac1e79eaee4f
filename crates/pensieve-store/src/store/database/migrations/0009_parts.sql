-- Search for parts of words. unicode61 takes `getShippingMethod` and `Untersuchungsausschuss` for one word; this table is
-- filled with the parts of names in the chunks, and with long words of languages that compound them, spelled backwards, so
-- that the end of a word is the beginning of an entry. The text itself is not kept a second time. rowid is chunks.chunk_id.
CREATE VIRTUAL TABLE chunks_fts_parts USING fts5(
  content, content='', tokenize='unicode61 remove_diacritics 2'
);
