import type { Engine } from "../service/engine.ts";
import type { Outside } from "../service/outside.ts";
import type { RunHost } from "../service/run-host.ts";
import type { ServerSettings } from "../service/server-settings.ts";
import type { Log } from "../util/log.ts";
import type { RunWatch } from "./watch-runs.ts";

/** What the server's tools work with. */
export interface Door {
  readonly version: string;
  readonly settings: ServerSettings;
  readonly outside: Outside;
  readonly host: RunHost;
  readonly catalog: Engine["workflows"]["catalog"];
  readonly log: Log;
  readonly runWatch: RunWatch;
  /** Reads the workflow directories anew, so that a file counts from the moment it is saved. */
  openEngine(workspace: string): Engine;
  /** Tells when workflow files below these directories, or what `also` gives, are others than before. Returns how to stop. */
  watch(directories: readonly string[], onChange: () => void, also: () => string): () => void;
}
