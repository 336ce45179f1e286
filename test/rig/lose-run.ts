import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Frond } from "./frond.ts";
import { waitFor } from "./wait-for.ts";

/** A command that writes that it begins, waits for a file `go`, and writes that it ends. */
export function waitForGo(name: string): string {
  return `echo ${name} begins; until [ -e go ]; do sleep 0.05; done; echo ${name} ends`;
}

/** Starts a run and kills its process when so many of its blocks have something in their logs. Gives its id. */
export async function loseRun(frond: Frond, workflow: string, blocks: number): Promise<string> {
  const run = frond.start(["run", workflow]);
  const runId = (): string => /run_[0-9a-z]{16}/.exec(run.shown())?.[0] ?? "";
  await waitFor(`${blocks} logs of ${workflow}`, () => runId() !== "" && logsOf(frond, runId()) >= blocks);
  run.child.kill("SIGKILL");
  await run.ended;
  return runId();
}

function logsOf({ state }: Frond, runId: string): number {
  const directory = join(state, "logs", runId);
  return namesIn(directory).filter((name) => statSync(join(directory, name)).size > 0).length;
}

function namesIn(directory: string): readonly string[] {
  return existsSync(directory) ? readdirSync(directory) : [];
}
