/**
 * `number` stands for a run in every other table. Text in JSON is what people may have written: errors, labels, who started a run, paths
 * of blocks, ids of requests. `host` is the machine that has the workspace.
 *
 * Events that are written together are one row of `commits`, each in a line of its own: `last` is the number of the last of them, and `at`
 * its time. `parts` says which places of a body are kept in `blobs`. While a run goes on, its `sequence` and `updated_at` may be older than
 * its last row: so going on changes nothing in `runs`.
 */
export const runsAndEvents = `
CREATE TABLE notes (
  name TEXT PRIMARY KEY,
  value ANY NOT NULL
) STRICT;

CREATE TABLE runs (
  number INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL UNIQUE,
  idempotency_key TEXT UNIQUE,
  fingerprint TEXT,
  workflow TEXT NOT NULL,
  workspace TEXT NOT NULL,
  rerun_of TEXT,
  undo_of TEXT,
  started_at TEXT NOT NULL,
  label TEXT,
  started_by TEXT,
  queue TEXT,
  host TEXT,
  sequence INTEGER NOT NULL,
  status TEXT NOT NULL,
  cancelled INTEGER NOT NULL,
  error TEXT,
  result TEXT,
  updated_at TEXT NOT NULL,
  finished_at TEXT,
  duration_ms REAL,
  wake_at TEXT,
  spend TEXT,
  questions INTEGER NOT NULL,
  hidden TEXT NOT NULL DEFAULT '[]',
  fence INTEGER NOT NULL,
  owner TEXT,
  heartbeat_at REAL
) STRICT;
CREATE INDEX runs_by_status ON runs (status, number);
CREATE INDEX runs_by_workflow ON runs (workflow, number);
CREATE INDEX runs_by_wake_at ON runs (wake_at) WHERE wake_at IS NOT NULL;
CREATE INDEX runs_by_undone ON runs (undo_of) WHERE undo_of IS NOT NULL;

CREATE TABLE commits (
  run INTEGER NOT NULL,
  last INTEGER NOT NULL,
  at TEXT NOT NULL,
  bodies TEXT NOT NULL,
  parts TEXT,
  PRIMARY KEY (run, last)
) STRICT, WITHOUT ROWID;

CREATE TABLE questions (
  run INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  path TEXT NOT NULL,
  PRIMARY KEY (run, sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE inbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run INTEGER NOT NULL,
  key TEXT NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (run, key)
) STRICT;

CREATE TABLE blobs (
  hash TEXT PRIMARY KEY,
  body TEXT NOT NULL,
  parts TEXT
) STRICT;

CREATE TABLE blob_uses (
  run INTEGER NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (run, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX blob_uses_by_hash ON blob_uses (hash);
`;
