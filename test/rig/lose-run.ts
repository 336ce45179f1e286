import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Frond } from "./frond.ts";
import { waitFor } from "./wait-for.ts";

/** A command that says in a file of that name that it runs, and then waits for `go`. */
export function waitForGo(name: string): string {
  return `echo ${name} begins; touch ${name}; until [ -e go ]; do sleep 0.05; done; echo ${name} ends`;
}

/** Starts a run and kills its process when these files are there. Gives its id. */
export async function loseRun(frond: Frond, workflow: string, files: readonly string[]): Promise<string> {
  const run = frond.start(["run", workflow]);
  await waitFor(`${files.join(", ")} to be there`, () =>
    files.every((file) => existsSync(join(frond.directory, file))),
  );
  run.child.kill("SIGKILL");
  const { stdout } = await run.ended;
  return /run_[0-9a-z]{16}/.exec(stdout)?.[0] ?? "";
}
