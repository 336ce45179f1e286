// Runs tests of doors with the journal in PostgreSQL instead of the state directory: `npm run on-postgres -- test/cli test/http`. Each test
// has a database of its own, on one server that is stopped at the end. What can't apply there is named in test/rig/not-on-postgres.ts.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const doors = ["test/cli", "test/mcp", "test/http", "test/ui"];
const outdir = resolve(`node_modules/.cache/frond-on-postgres-${process.pid}`);
const report = join(outdir, "report.json");

await build({
  entryPoints: ["test/rig/postgres.ts", "test/rig/not-on-postgres.ts"],
  bundle: true,
  platform: "node",
  format: "esm",
  outdir,
  outExtension: { ".js": ".mjs" },
});
const load = (name) => import(pathToFileURL(join(outdir, name)).href);
const { startOwnPostgres, postgresVariables } = await load("postgres.mjs");
const { leftOut, matches } = await load("not-on-postgres.mjs");
const server = await startOwnPostgres();
try {
  const env = { ...process.env, FROND_TEST_DATABASES: JSON.stringify(postgresVariables(server.url)) };
  const files = process.argv.slice(2);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const args = ["vitest", "run", ...reporters, ...(files.length === 0 ? doors : files)];
  const [code] = await once(spawn("npx", args, { env, stdio: "inherit" }), "exit");
  process.exitCode = code ?? 1;
  if (existsSync(report)) tellLeftOut(JSON.parse(readFileSync(report, "utf8")));
} finally {
  await server.remove();
  await rm(outdir, { recursive: true, force: true });
}

/** A name on the list that no test has any more would leave out nothing, and say otherwise. */
function tellLeftOut({ testResults }) {
  const ran = new Map(testResults.map((file) => [relative(process.cwd(), file.name), file.assertionResults]));
  const namesIn = (entry) => (ran.get(entry.file) ?? []).filter(({ fullName }) => matches(entry, entry.file, fullName));
  const stale = leftOut.filter((entry) => ran.has(entry.file) && namesIn(entry).length === 0);
  const count = leftOut.reduce((sum, entry) => sum + namesIn(entry).length, 0);
  console.log(`Left out because they can't apply with a database: ${count} tests (test/rig/not-on-postgres.ts).`);
  for (const { file, name, begins } of stale) {
    console.error(
      `test/rig/not-on-postgres.ts: ${file} has no test ${name ?? `that begins with '${begins}'`}. Correct or remove it.`,
    );
    process.exitCode = 1;
  }
}
