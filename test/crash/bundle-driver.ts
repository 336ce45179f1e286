import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { type BuildOptions, build } from "esbuild";
import { codeCacheFile } from "../../src/load-app.ts";
import { everything } from "./everything.ts";
import type { Job, Role } from "./protocol.ts";

export interface BundledDriver {
  readonly program: string;
  remove(): void;
}

/** Bundles the driver and keeps it compiled, as the build does with the command line: it is started thousands of times. */
export async function bundleDriver(): Promise<BundledDriver> {
  // Below node_modules, so that what is left external is found, and git and the build leave it alone.
  const cache = resolve("node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const directory = mkdtempSync(join(cache, "frond-crash-"));
  const program = join(directory, "main.mjs");
  const bundle = join(directory, "app.cjs");
  const shared: BuildOptions = { bundle: true, platform: "node", logLevel: "warning" };
  await build({ ...shared, entryPoints: [resolve("test/crash/driver-main.ts")], outfile: program, format: "esm" });
  await build({
    ...shared,
    entryPoints: [resolve("test/crash/driver.ts")],
    outfile: bundle,
    format: "cjs",
    external: ["@cfworker/json-schema", "libsql", "re2js"],
    define: { "import.meta.url": "bundleUrl" },
    banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
  });
  const loader = join(directory, "load-app.mjs");
  await build({ ...shared, entryPoints: [resolve("src/load-app.ts")], outfile: loader, format: "esm" });
  writeCodeCache(directory, loader, bundle);
  return { program, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

/** Of a run in which everything happens, as only what has been called is compiled. */
function writeCodeCache(directory: string, loader: string, bundle: string): void {
  const workspace = join(directory, "workspace");
  mkdirSync(workspace);
  const { workflows, paceMs } = everything;
  const job: Job = { workspace, workflows, ledger: join(directory, "ledger"), seed: 0, paceMs, answers: "when paused" };
  const role: Role = { kind: "drive" };
  execFileSync(process.execPath, ["scripts/write-code-cache.js", loader, bundle, JSON.stringify(job)], {
    input: `${JSON.stringify(role)}\n`,
    env: { PATH: process.env.PATH, FROND_STATE_DIR: join(directory, "state") },
    stdio: ["pipe", "ignore", "inherit"],
  });
  // Without one every start would be slow, and nobody would know.
  statSync(codeCacheFile(bundle));
}
