// Runs tests under the other versions of Node that are supported: `node scripts/on-other-nodes.js [what vitest is to run...]`.
import { execFileSync, spawnSync } from "node:child_process";
import { delimiter, dirname } from "node:path";
import { fetchNode } from "./fetch-package.js";
import { otherNodes } from "./needed-packages.js";

/** Where versions of Node differ: the database, processes and signals, streams, and the bundles as a whole. */
const differing = [
  "src/journal",
  "test/journal",
  ...["interrupt", "run", "streams"].map((name) => `test/cli/${name}.test`),
  "src/platform/processes/process",
  "test/platform/process",
];
/** Of the doors to which runs come back: all of it on the newest, on the others what loads the same bundles and takes a tenth of the time. */
const doors = ["test/cli/resume.test", "test/mcp/running-workflows", "test/http/serving"];
const doorsInBrief = ["test/mcp/prompts", "test/http/changes"];
const asked = process.argv.slice(2);

for (const version of otherNodes) {
  const node = fetchNode(version);
  const tests = [...differing, ...(version === otherNodes.at(-1) ? doors : doorsInBrief)];
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
