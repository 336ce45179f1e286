// Runs tests under the other versions of Node that are supported: `node scripts/on-other-nodes.js [what vitest is to run...]`.
// They come from the npm package `node` and are kept below node_modules, so they are fetched only once.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, resolve } from "node:path";

const versions = ["22", "24"];
const tests = process.argv.length > 2 ? process.argv.slice(2) : ["test/journal", "test/cli", "src/journal"];

for (const version of versions) {
  const node = find(version) ?? install(version);
  if (node === undefined) process.exitCode = 1;
  else runTests(node);
}

function find(version) {
  const node = resolve(placeOf(version), "node_modules/node/bin", process.platform === "win32" ? "node.exe" : "node");
  return existsSync(node) ? node : undefined;
}

function install(version) {
  const flags = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"];
  try {
    execFileSync("npm", ["install", ...flags, "--prefix", placeOf(version), `node@${version}`], { stdio: "pipe" });
  } catch (error) {
    const reason = `${error.stderr ?? error.message}`.trim().split("\n")[0];
    console.error(`Node ${version} can't be installed, so nothing was tested with it: ${reason}`);
    return undefined;
  }
  const node = find(version);
  if (node === undefined)
    console.error(`Node ${version} was installed without its program, so nothing was tested with it.`);
  return node;
}

function placeOf(version) {
  return resolve(`node_modules/.cache/node-${version}`);
}

function runTests(node) {
  console.log(`Node ${execFileSync(node, ["--version"], { encoding: "utf8" }).trim()}: ${tests.join(" ")}`);
  // First in the path too, for whatever starts `node` by its name.
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  const { status } = spawnSync(node, ["node_modules/vitest/vitest.mjs", "run", ...tests], { stdio: "inherit", env });
  if (status !== 0) process.exitCode = 1;
}
