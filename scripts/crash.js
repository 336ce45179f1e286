// Kills the engine over and over and looks at what is left: `npm run crash [-- --kills 5000 --seed N --bug NAME --postgres]`.
import { rm } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

// Below node_modules, so that what is left external is found, and git and the build leave it alone.
const outfile = `node_modules/.cache/frond-crash-rig-${process.pid}.mjs`;
await build({
  entryPoints: ["test/crash/main.ts"],
  bundle: true,
  platform: "node",
  format: "esm",
  outfile,
  logLevel: "warning",
  external: ["@cfworker/json-schema", "esbuild", "libsql", "re2js"],
  banner: { js: "import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);" },
});
try {
  const { main } = await import(pathToFileURL(outfile).href);
  process.exitCode = await main(process.argv.slice(2));
} finally {
  await rm(outfile, { force: true });
}
