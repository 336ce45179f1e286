import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parallel } from "./bench.ts";

/** Where benches work: directories of their own, so that nothing of the user's is read or changed. */
export interface Ground {
  readonly workspace: string;
  readonly state: string;
  /** The bin that is measured. */
  readonly frond: string;
  /** For the processes that are measured. */
  readonly env: NodeJS.ProcessEnv;
  /** Makes a workflow of the user's own library, which is trusted. */
  addWorkflow(name: string, text: string): void;
  remove(): void;
}

export function createGround(): Ground {
  const [workspace, state, home] = ["work", "state", "home"].map((name) =>
    mkdtempSync(join(tmpdir(), `frond-bench-${name}-`)),
  ) as [string, string, string];
  const library = join(home, ".frond", "workflows");
  mkdirSync(library, { recursive: true });
  const { FROND_DATABASE_URL: _, NODE_OPTIONS: __, ...rest } = process.env;
  return {
    workspace,
    state,
    frond: join(process.cwd(), "dist/main.js"),
    env: { ...rest, HOME: home, FROND_STATE_DIR: state, FROND_MAX_PROCESSES: String(parallel) },
    addWorkflow: (name, text) => writeFileSync(join(library, `${name}.yaml`), text),
    remove() {
      for (const made of [workspace, state, home]) rmSync(made, { recursive: true, force: true });
    },
  };
}
