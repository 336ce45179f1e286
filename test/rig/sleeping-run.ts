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

/** The journal says from now on that the run was to go on a minute ago: nobody who tests has two hours. */
export function makeOverdue({ state }: Pick<Frond, "state">, runId: string): void {
  const database = openFile(state);
  // Whoever holds the run may be writing that it has let go of it.
  database.exec("PRAGMA busy_timeout = 5000");
  const row = database.prepare("SELECT number, wake_at FROM runs WHERE run_id = ?").get(runId);
  const { number, wake_at: wakeAt } = row as { readonly number: number; readonly wake_at: string };
  const past = new Date(Date.now() - 60_000).toISOString();
  database.prepare("UPDATE commits SET bodies = replace(bodies, ?, ?) WHERE run = ?").run(wakeAt, past, number);
  database.prepare("UPDATE runs SET wake_at = ? WHERE number = ?").run(past, number);
  database.close();
}
