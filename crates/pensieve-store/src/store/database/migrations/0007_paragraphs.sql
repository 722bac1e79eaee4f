-- Each chunk once, and its places apart: the view had a row for every place before.
DROP VIEW paragraphs;
CREATE VIEW paragraphs AS SELECT chunk_id, content FROM chunks;
CREATE VIEW paragraph_sources AS SELECT chunk_id, file_id, start_index FROM chunk_sources;
