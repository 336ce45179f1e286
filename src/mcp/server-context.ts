import type { Platform } from "../runs/platform.ts";
import type { RunHost } from "../runs/run-host.ts";
import type { Runtime } from "../runs/runtime.ts";
import type { ServerSettings } from "../runs/server-settings.ts";
import type { TestBench } from "../testing/test-bench.ts";
import type { Log } from "../util/log.ts";
import type { LogTails } from "../views/page/log-tail.ts";
import type { RunPictures } from "../views/page/run-pictures.ts";
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
  /** Runs that somebody looks at on the page. */
  readonly pictures: RunPictures;
  /** Logs that somebody looks at there. */
  readonly logTails: LogTails;
  /** A file of the page that the build leaves beside the bundles, as text. Read when it is asked for. */
  readPageFile(name: string): string | undefined;
  /** Reads the workflow directories anew, so that a file counts from the moment it is saved. */
  openRuntime(workspace: string): Runtime;
  /** Runs the tests of workflows, under the same rules. */
  openTestBench(workspace: string): TestBench;
  /** Tells when workflow files below these directories, or what `also` gives, are others than before. Returns how to stop. */
  watch(directories: readonly string[], onChange: () => void, also: () => string): () => void;
}
