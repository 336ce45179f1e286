/**
 * Events that are written together are one row, each in a line of its own: `last` is the number of the last of them, and `at` its time.
 * From here on, `sequence` and `updated_at` of a run are those of its last row only while it does not run, so that going on changes
 * nothing in `runs`.
 */
export const rowsOfCommits = `
CREATE TABLE commits (
  run INTEGER NOT NULL,
  last INTEGER NOT NULL,
  at TEXT NOT NULL,
  bodies TEXT NOT NULL,
  parts TEXT,
  PRIMARY KEY (run, last)
) STRICT, WITHOUT ROWID;
INSERT INTO commits (run, last, at, bodies, parts)
  SELECT run, sequence, coalesce(json_extract(body, '$.at'), ''), body, parts FROM events;
DROP TABLE events;
`;
