import { beforeEach } from "vitest";
import { createEnvironment } from "../../src/platform/environment.ts";
import { createIsolation } from "../../src/platform/isolation/isolation.ts";

/** Why the system has no overlay mounts for us; nothing where it has. */
export async function whyNotIsolated(): Promise<string | undefined> {
  const found = await createIsolation(createEnvironment(process.env), "/nowhere").find();
  return found.ok ? undefined : found.error;
}

/** For files whose tests isolate commands: where the system has no overlay mounts for us they are skipped. */
export async function useIsolation(): Promise<void> {
  const problem = await whyNotIsolated();
  if (problem !== undefined) process.stderr.write(`The tests of isolated workspaces are skipped: ${problem}.\n`);
  beforeEach((context) => {
    if (problem !== undefined) context.skip(problem);
  });
}
