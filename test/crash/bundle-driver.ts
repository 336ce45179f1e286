import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type BuildOptions, build } from "esbuild";
import { codeCacheFile, compileApp } from "../../src/load-app.ts";

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
    external: ["@cfworker/json-schema", "@clack/prompts", "libsql", "re2js"],
    define: { "import.meta.url": "bundleUrl" },
    banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
  });
  writeFileSync(codeCacheFile(bundle), compileApp(bundle).script.createCachedData());
  return { program, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
