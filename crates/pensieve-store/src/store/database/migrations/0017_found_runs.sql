-- What an update of the ledger keeps about the runs of documents that have not changed; see 0015. Ledgers are made again.

-- Shortest runs that an earlier document has: for each row of them words since the last, how many, the document, and the word there.
ALTER TABLE sketches ADD COLUMN matched BLOB NOT NULL DEFAULT x'';
