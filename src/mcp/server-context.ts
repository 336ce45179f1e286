import type { Platform } from "../runs/platform.ts";
import type { RunHost } from "../runs/run-host.ts";
import type { Runtime } from "../runs/runtime.ts";
import type { ServerSettings } from "../runs/server-settings.ts";
import type { TestBench } from "../testing/test-bench.ts";
import type { Log } from "../util/log.ts";
import type { RunWatch } from "../views/watch-runs.ts";

/** What the server's tools work with. */
export interface ServerContext {
  readonly version: string;
  readonly settings: ServerSettings;
  readonly platform: Platform;
  readonly host: RunHost;
  readonly catalog: Runtime["workflows"]["catalog"];
  readonly log: Log;
  /** A workflow that shows a block type. */
  readExample(type: string): string | undefined;
  readonly runWatch: RunWatch;
  /** Reads the workflow directories anew, so that a file counts from the moment it is saved. */
  openRuntime(workspace: string): Runtime;
  /** Runs the tests of workflows, under the same rules. */
  openTestBench(workspace: string): TestBench;
  /** Tells when workflow files below these directories, or what `also` gives, are others than before. Returns how to stop. */
  watch(directories: readonly string[], onChange: () => void, also: () => string): () => void;
}
