// Prints how much Frond adds to what it runs, as ratios measured side by side in one run: `npm run bench [name...]`.
import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { buildThreads } from "./threads.js";

// Below node_modules, so that what is left external is found, and git and the build leave it alone.
const outfile = "node_modules/.cache/frond-bench.mjs";
await build({
  entryPoints: ["scripts/bench/measure.ts"],
  bundle: true,
  platform: "node",
  format: "esm",
  outfile,
  logLevel: "warning",
  define: { "import.meta.dirname": JSON.stringify(resolve("test/rig")) },
  external: ["@cfworker/json-schema", "libsql", "re2js"],
  banner: { js: "import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);" },
});
buildThreads("node_modules/.cache");
try {
  const { measure } = await import(pathToFileURL(outfile).href);
  await measure(process.argv.slice(2));
} finally {
  await rm(outfile, { force: true });
}
