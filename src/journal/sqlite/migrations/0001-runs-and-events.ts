/**
 * `number` stands for a run in every other table. Text in JSON is what people may have written: errors, paths of blocks, ids of
 * requests. `parts` says which places of a body are kept in `blobs`.
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
  started_at TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  status TEXT NOT NULL,
  cancelled INTEGER NOT NULL,
  error TEXT,
  updated_at TEXT NOT NULL,
  finished_at TEXT,
  duration_ms REAL,
  questions INTEGER NOT NULL,
  hidden TEXT NOT NULL DEFAULT '[]',
  fence INTEGER NOT NULL,
  owner TEXT,
  heartbeat_at REAL
) STRICT;
CREATE INDEX runs_by_status ON runs (status, number);
CREATE INDEX runs_by_workflow ON runs (workflow, number);

CREATE TABLE events (
  run INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  body TEXT NOT NULL,
  parts TEXT,
  PRIMARY KEY (run, sequence)
) STRICT;

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
