-- What happened to the places of chunks, so that an index outside can follow: one row for each place that came, changed
-- or went, written in the transaction of the change. Rows of old runs are removed; meta.journal_run and
-- meta.journal_seq say after which run and which row nothing is missing. A first load writes no rows.
CREATE TABLE changes(
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id INTEGER NOT NULL,
  op TEXT NOT NULL CHECK(op IN ('upsert', 'delete')),
  content_hash TEXT NOT NULL,
  doc_uid TEXT NOT NULL,
  start_index INTEGER NOT NULL
);
-- Serves the rows after a run, and the removal of old ones.
CREATE INDEX changes_by_run ON changes(run_id);

INSERT INTO meta(key, value) SELECT 'journal_run', coalesce(max(run_id), 0) FROM runs;
INSERT INTO meta(key, value) VALUES('journal_seq', '0');
