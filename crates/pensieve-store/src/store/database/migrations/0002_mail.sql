-- Mails: who wrote what to whom, what belongs to one thread, and the page that a mail came with.

ALTER TABLE mails ADD COLUMN subject TEXT;
ALTER TABLE mails ADD COLUMN sender TEXT;
ALTER TABLE mails ADD COLUMN recipients TEXT;
ALTER TABLE mails ADD COLUMN copies_to TEXT;
ALTER TABLE mails ADD COLUMN transform_version TEXT;
-- Serves a thread's mails in order.
CREATE INDEX mails_by_thread ON mails(thread_uid, date);

-- Every identifier that a mail has or names, as the first 128 bits of a hash: what binds mails together.
CREATE TABLE mail_ids(
  id BLOB NOT NULL,
  file_id INTEGER NOT NULL REFERENCES files ON DELETE CASCADE,
  is_child BOOLEAN NOT NULL,
  PRIMARY KEY(id, file_id)
) WITHOUT ROWID;
-- Serves the identifiers of one mail, and its removal.
CREATE INDEX mail_ids_by_file ON mail_ids(file_id);

-- Identifiers whose threads are to be found again before the transaction ends; empty in every commit.
CREATE TABLE mail_unsettled(id BLOB PRIMARY KEY) WITHOUT ROWID;
CREATE TRIGGER mail_ids_added AFTER INSERT ON mail_ids BEGIN
  INSERT OR IGNORE INTO mail_unsettled VALUES(new.id);
END;
CREATE TRIGGER mail_ids_removed AFTER DELETE ON mail_ids BEGIN
  INSERT OR IGNORE INTO mail_unsettled VALUES(old.id);
END;

CREATE TABLE mail_threads(
  thread_uid TEXT PRIMARY KEY,
  mails INTEGER NOT NULL,
  first_date TEXT,
  last_date TEXT NOT NULL
) WITHOUT ROWID;
-- Serves the list of threads, the latest first.
CREATE INDEX mail_threads_by_date ON mail_threads(last_date, thread_uid);

CREATE TABLE mail_pages(
  file_id INTEGER PRIMARY KEY REFERENCES files ON DELETE CASCADE,
  raw BLOB NOT NULL,
  sanitised BLOB NOT NULL
);
