import { start } from "./app.ts";
import { createCatalog } from "./block/catalog.ts";
import { blockTypes } from "./blocks/index.ts";
import { serve } from "./mcp/serve.ts";
import { claimStdout } from "./node/claim-stdout.ts";
import { createLog } from "./node/create-log.ts";
import { watchDirectories } from "./node/watch-directories.ts";
import { RunHost } from "./service/run-host.ts";

/** The command line with the server; a bundle of its own, so that nothing else pays for loading the protocol. */
export function main(args: readonly string[]): Promise<number> {
  const { FROND_LOG_LEVEL, WORKFLOWS_LOG_LEVEL } = process.env;
  const log = createLog(process.stderr, FROND_LOG_LEVEL ?? WORKFLOWS_LOG_LEVEL);
  return start(args, {
    warn: (message) => log("warn", message),
    async serve(settings, { version, outside, openEngine, signal }) {
      const output = claimStdout();
      const host = new RunHost(outside);
      const door = {
        version,
        settings,
        outside,
        host,
        catalog: createCatalog(blockTypes),
        log,
        openEngine,
        watch: watchDirectories,
      };
      await serve(door, { input: process.stdin, output }, signal);
    },
  });
}
