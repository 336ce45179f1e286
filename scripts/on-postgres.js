// Runs tests of doors with the journal in PostgreSQL instead of the state directory: `npm run on-postgres -- test/cli test/http`. Each test
// has a database of its own, on one server that is stopped at the end.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const outfile = `node_modules/.cache/frond-on-postgres-${process.pid}.mjs`;
await build({ entryPoints: ["test/rig/postgres.ts"], bundle: true, platform: "node", format: "esm", outfile });
const { startOwnPostgres, postgresVariables } = await import(pathToFileURL(outfile).href);
const server = await startOwnPostgres();
try {
  const env = { ...process.env, FROND_TEST_DATABASES: JSON.stringify(postgresVariables(server.url)) };
  const files = process.argv.slice(2);
  const args = ["vitest", "run", ...(files.length === 0 ? ["test/cli", "test/mcp", "test/http"] : files)];
  const [code] = await once(spawn("npx", args, { env, stdio: "inherit" }), "exit");
  process.exitCode = code ?? 1;
} finally {
  await server.remove();
  await rm(outfile, { force: true });
}
