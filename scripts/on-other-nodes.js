// Runs tests under the other versions of Node that are supported: `node scripts/on-other-nodes.js [what vitest is to run...]`.
import { execFileSync, spawnSync } from "node:child_process";
import { delimiter, dirname } from "node:path";
import { fetchNode } from "./fetch-package.js";
import { otherNodes } from "./needed-packages.js";

/** Where versions of Node differ: how the database is bound to it, processes and signals, streams. */
const differing = [
  "src/journal",
  ...["contract", "sqlite-processes"].map((name) => `test/journal/${name}.test`),
  "src/platform/processes/process",
  "test/platform/process",
];
/** The bundles as a whole, and the doors to which runs come back: on the newest, whose neighbour between it and the oldest has them in brief. */
const whole = [
  ...["interrupt", "run", "streams"].map((name) => `test/cli/${name}.test`),
  "test/mcp/running-workflows",
  "test/http/changes",
];
const inBrief = ["test/cli/streams.test", "test/mcp/prompts", "test/http/changes"];
const asked = process.argv.slice(2);

for (const version of otherNodes) {
  const node = fetchNode(version);
  const tests = [...differing, ...(version === otherNodes.at(-1) ? whole : inBrief)];
  if (node === undefined) process.exitCode = 1;
  else runTests(node, asked.length > 0 ? asked : tests);
}

function runTests(node, tests) {
  console.log(`Node ${execFileSync(node, ["--version"], { encoding: "utf8" }).trim()}: ${tests.join(" ")}`);
  // First in the path too, for whatever starts `node` by its name. How a process starts and ends is what differs: none is kept.
  const env = { ...process.env, FROND_OWN_PROCESSES: "1", PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  const { status } = spawnSync(node, ["node_modules/vitest/vitest.mjs", "run", ...tests], { stdio: "inherit", env });
  if (status !== 0) process.exitCode = 1;
}
