// Runs tests under the other versions of Node that are supported: `node scripts/on-other-nodes.js [what vitest is to run...]`.
import { execFileSync, spawnSync } from "node:child_process";
import { delimiter, dirname } from "node:path";
import { fetchNode } from "./fetch-package.js";
import { otherNodes } from "./needed-packages.js";

/** Where versions of Node differ: the database, processes and signals, streams, and the bundles as a whole. */
const differing = [
  "src/journal",
  "test/journal",
  ...["interrupt", "resume", "run", "streams"].map((name) => `test/cli/${name}.test`),
  "src/platform/processes/process",
  "test/platform/process",
  "test/mcp/running-workflows",
  "test/http/serving",
];
const tests = process.argv.length > 2 ? process.argv.slice(2) : differing;

for (const version of otherNodes) {
  const node = fetchNode(version);
  if (node === undefined) process.exitCode = 1;
  else runTests(node);
}

function runTests(node) {
  console.log(`Node ${execFileSync(node, ["--version"], { encoding: "utf8" }).trim()}: ${tests.join(" ")}`);
  // First in the path too, for whatever starts `node` by its name.
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  const { status } = spawnSync(node, ["node_modules/vitest/vitest.mjs", "run", ...tests], { stdio: "inherit", env });
  if (status !== 0) process.exitCode = 1;
}
