/** A test of doors that can't apply where the journal is in a database, or all whose names begin so. */
export interface LeftOut {
  readonly file: string;
  /** With those of the groups around it. */
  readonly name?: string;
  readonly begins?: string;
  readonly reason: string;
}

const theFile = "it damages, replaces or takes away the file of SQLite";
const drain =
  "a server with a database drives no runs that it could wait for; of workers: test/workers/worker-figures.test.ts, worker-ends.test.ts";

/** What `npm run on-postgres` leaves out, which fails when one of these matches no test of a file that it ran. */
export const leftOut: readonly LeftOut[] = [
  {
    file: "test/cli/named-commands.test.ts",
    name: "the commands that drive-run names can be typed, literally",
    reason: theFile,
  },
  ...["a damaged database", "half a database", "a database of a newer Frond"].map((what) => ({
    file: "test/cli/doctor.test.ts",
    name: `a state directory that can't be used is a problem that says why: ${what}`,
    reason: theFile,
  })),
  ...[
    "a database that is broken is one clear line, and with it out of the way everything works",
    "a database of a newer Frond is one clear line, and nothing in it is changed",
  ].map((name) => ({ file: "test/cli/state-directory.test.ts", name, reason: theFile })),
  ...[
    "a full disk is one clear line, and when there is space again everything works",
    "a disk that fills up during a run is waited for: the run goes on when there is space, and nothing is lost",
    "a state directory that can't be written to lets runs be looked at, and refuses new ones with one clear line",
  ].map((name) => ({
    file: "test/cli/state-directory.test.ts",
    name,
    reason:
      "the journal is not on the disk that is full or can't be written to; only the logs of runs are lost there, with a warning",
  })),
  {
    file: "test/cli/stored-runs.test.ts",
    begins: "runs that ",
    reason: "state directories of released versions hold a file of SQLite",
  },
  {
    file: "test/http/operations.test.ts",
    name: "metrics count runs, blocks and the journal; nobody gets them without the token",
    reason: "runs are counted by the process that drives them, a worker: test/workers/worker-figures.test.ts",
  },
  {
    file: "test/http/operations.test.ts",
    name: "a server that is told to end lets its runs end, says so, and takes no new ones",
    reason: drain,
  },
  {
    file: "test/http/operations.test.ts",
    name: "a second signal ends a server that drains at once, and its runs are left for others",
    reason: drain,
  },
  {
    file: "test/http/operations.test.ts",
    name: "health says in one word that the journal can't be reached, and when it can again",
    reason: "it takes the state directory away; of a database that is away the test after it",
  },
  ...["SIGTERM", "SIGINT", "SIGHUP"].map((signal) => ({
    file: "test/http/serving.test.ts",
    name: `${signal}: the server is gone within five seconds, leaves no process, and its run can be gone on with`,
    reason: "the run is a worker's, and goes on there; of workers: test/workers/worker-ends.test.ts",
  })),
];

export function matches(entry: LeftOut, file: string, name: string): boolean {
  return entry.file === file && (entry.begins === undefined ? name === entry.name : name.startsWith(entry.begins));
}

export function whyLeftOut(file: string, name: string): string | undefined {
  return leftOut.find((entry) => matches(entry, file, name))?.reason;
}
