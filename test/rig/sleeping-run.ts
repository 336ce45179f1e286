import { execFileSync } from "node:child_process";
import { openFile } from "../journal/sqlite-file.ts";
import { type Frond, shell, workflow } from "./frond.ts";

/** Sleeps in the middle, for much longer than any test lasts. */
export const nap: string = workflow(
  "nap",
  [
    shell("before", "echo before"),
    { id: "rest", type: "Wait", inputs: { duration: "2h" }, depends_on: ["before"] },
    shell("after", "echo after", { depends_on: ["rest"] }),
  ],
  { outputs: { said: "${trim(blocks.after.stdout)}" } },
);

/** Starts a run of `nap` and leaves it when it sleeps, as by Ctrl-C. Gives its id. */
export async function leaveAsleep(frond: Frond): Promise<string> {
  frond.write("nap.yaml", nap);
  const run = frond.start(["run", "nap.yaml"]);
  await run.until("Ctrl-C leaves the run asleep");
  run.child.kill("SIGINT");
  const { stdout } = await run.ended;
  return /run_[0-9a-z]{16}/.exec(stdout)?.[0] ?? "";
}

/** Whose journal is meant: in its state directory, unless its environment names a database. */
type Journaled = Pick<Frond, "state"> & Partial<Pick<Frond, "env">>;

/** The journal says from now on that the run was to go on a minute ago: nobody who tests has two hours. */
export function makeOverdue({ state, env = {} }: Journaled, runId: string): void {
  const past = new Date(Date.now() - 60_000).toISOString();
  if (env.FROND_DATABASE_URL !== undefined) return setWakeAt(env, runId, past);
  const database = openFile(state);
  // Whoever holds the run may be writing that it has let go of it.
  database.exec("PRAGMA busy_timeout = 5000");
  const row = database.prepare("SELECT number, wake_at FROM runs WHERE run_id = ?").get(runId);
  const { number, wake_at: wakeAt } = row as { readonly number: number; readonly wake_at: string };
  database.prepare("UPDATE commits SET bodies = replace(bodies, ?, ?) WHERE run = ?").run(wakeAt, past, number);
  database.prepare("UPDATE runs SET wake_at = ? WHERE number = ?").run(past, number);
  database.close();
}

/** The same where tests are run with a database (`npm run on-postgres`). */
function setWakeAt(env: Frond["env"], runId: string, past: string): void {
  const { FROND_DATABASE_URL: url = "", FROND_PG: pg = "" } = env;
  execFileSync(process.execPath, ["-e", update, pg, url, runId, past]);
}

const update = `
  const [, pg, url, runId, past] = process.argv;
  const client = new (require(pg).Client)(url);
  const change = async () => {
    await client.connect();
    const { rows } = await client.query("SELECT number, wake_at FROM frond.runs WHERE run_id = $1", [runId]);
    const [{ number, wake_at: wakeAt }] = rows;
    await client.query("UPDATE frond.events SET body = replace(body, $1, $2) WHERE run = $3", [wakeAt, past, number]);
    await client.query("UPDATE frond.runs SET wake_at = $1 WHERE number = $2", [past, number]);
    await client.end();
  };
  void change();
`;
