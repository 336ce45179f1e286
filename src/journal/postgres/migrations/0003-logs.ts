/**
 * What blocks write, as it lies in the files of who runs them: a chunk begins where the one before it ended, and `log_lengths` says where the
 * last one did. `run` is the id: logs are written and removed by themselves.
 */
export const logs = `
CREATE TABLE frond.log_lengths (
  run text COLLATE "C" NOT NULL,
  block text COLLATE "C" NOT NULL,
  attempt integer NOT NULL,
  bytes bigint NOT NULL,
  PRIMARY KEY (run, block, attempt)
) WITH (fillfactor = 50);

CREATE TABLE frond.log_chunks (
  run text COLLATE "C" NOT NULL,
  block text COLLATE "C" NOT NULL,
  attempt integer NOT NULL,
  position bigint NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (run, block, attempt, position)
);
`;
