import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { beforeEach } from "vitest";
import { createEnvironment } from "../../src/platform/environment.ts";
import { createSandbox } from "../../src/platform/sandbox/sandbox.ts";

/** For files whose tests make sandboxes: without bubblewrap they fail; where the system forbids sandboxes they are skipped. */
export async function useBubblewrap(): Promise<void> {
  const script = join(import.meta.dirname, "../../scripts/find-bubblewrap.js");
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr.trim());
  const found = await createSandbox(createEnvironment(process.env), "/nowhere").find();
  if (!found.ok) process.stderr.write(`The tests of sandboxes are skipped: ${found.error}.\n`);
  beforeEach((context) => {
    if (!found.ok) context.skip(found.error);
  });
}
