/**
 * Text in JSON is what people may have written, because PostgreSQL takes no NUL in a text. `parts` says which places of a body are kept in
 * `blobs`. Times are text that sorts as it is, whatever the language of the database. `holder` is the advisory lock of who holds the run.
 * A row of `writers` says what the last batch was that a process has written, and what came of it: so a batch whose answer was lost with
 * its connection is never done twice.
 */
export const runsAndEvents = `
CREATE TABLE frond.notes (
  name text PRIMARY KEY,
  value text NOT NULL
);

CREATE TABLE frond.runs (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_id text COLLATE "C" NOT NULL UNIQUE,
  idempotency_key text COLLATE "C",
  fingerprint text COLLATE "C",
  workflow text COLLATE "C" NOT NULL,
  workspace text NOT NULL,
  rerun_of text COLLATE "C",
  undo_of text COLLATE "C",
  started_at text COLLATE "C" NOT NULL,
  label text,
  started_by text,
  queue text,
  host text COLLATE "C",
  sequence integer NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  status text COLLATE "C" NOT NULL,
  cancelled integer NOT NULL DEFAULT 0,
  error text,
  result text,
  updated_at text COLLATE "C" NOT NULL,
  finished_at text COLLATE "C",
  duration_ms double precision,
  wake_at text COLLATE "C",
  spend text,
  questions integer NOT NULL DEFAULT 0,
  hidden text NOT NULL DEFAULT '[]',
  fence integer NOT NULL DEFAULT 1,
  owner text,
  holder bigint,
  heartbeat_at double precision
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX runs_by_key ON frond.runs (md5(idempotency_key)) WHERE idempotency_key IS NOT NULL;
CREATE INDEX runs_by_status ON frond.runs (status, number);
CREATE INDEX runs_by_workflow ON frond.runs (workflow, number);
CREATE INDEX runs_by_wake_at ON frond.runs (wake_at) WHERE wake_at IS NOT NULL;
CREATE INDEX runs_by_undone ON frond.runs (undo_of) WHERE undo_of IS NOT NULL;

CREATE TABLE frond.events (
  run bigint NOT NULL,
  sequence integer NOT NULL,
  body text NOT NULL,
  parts text,
  PRIMARY KEY (run, sequence)
);

CREATE TABLE frond.questions (
  run bigint NOT NULL,
  sequence integer NOT NULL,
  path text NOT NULL,
  PRIMARY KEY (run, sequence)
);

CREATE TABLE frond.inbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run bigint NOT NULL,
  key text COLLATE "C" NOT NULL,
  body text NOT NULL
);
CREATE UNIQUE INDEX inbox_by_key ON frond.inbox (run, md5(key));

CREATE TABLE frond.blobs (
  hash text COLLATE "C" PRIMARY KEY,
  body text NOT NULL,
  parts text
);

CREATE TABLE frond.blob_uses (
  run bigint NOT NULL,
  hash text COLLATE "C" NOT NULL,
  PRIMARY KEY (run, hash)
);
CREATE INDEX blob_uses_by_hash ON frond.blob_uses (hash);

CREATE TABLE frond.writers (
  id bigint PRIMARY KEY,
  batch bigint NOT NULL,
  results jsonb NOT NULL DEFAULT '[]',
  at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
`;
