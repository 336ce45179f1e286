import { beforeEach } from "vitest";
import { createEnvironment } from "../../src/platform/environment.ts";
import { createIsolation } from "../../src/platform/isolation/isolation.ts";

/** For files whose tests isolate commands: where the system has no overlay mounts for us they are skipped. */
export async function useIsolation(): Promise<void> {
  const found = await createIsolation(createEnvironment(process.env), "/nowhere").find();
  if (!found.ok) process.stderr.write(`The tests of isolated workspaces are skipped: ${found.error}.\n`);
  beforeEach((context) => {
    if (!found.ok) context.skip(found.error);
  });
}
