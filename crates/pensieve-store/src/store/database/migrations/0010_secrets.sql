-- Files that hold secrets have a status of their own. A CHECK concerns no stored byte, so its text is changed in place:
-- https://www.sqlite.org/lang_altertable.html#otheralter, the second procedure.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema
  SET sql = replace(sql, '''Skipped_Limit'', ''Deleted''', '''Skipped_Limit'', ''Skipped_Secret'', ''Deleted''')
  WHERE type = 'table' AND name = 'files';
PRAGMA writable_schema = RESET;
