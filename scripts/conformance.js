// Runs the official conformance suite of MCP against the server, over HTTP: `npm run conformance`. What the suite wants of a server
// beside what Frond's has is in test/conformance.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { inspectTools } from "./conformance/inspect.js";
import { openProxy } from "./conformance/open-proxy.js";
import { readResults } from "./conformance/read-results.js";
import { bundleServer, startServer } from "./conformance/start-server.js";
import { fetchNode, fetchPackage } from "./fetch-package.js";
import { conformanceSuite, nodeOfRunners } from "./needed-packages.js";

const revisions = ["2025-11-25", "2026-07-28"];

const node = fetchNode(nodeOfRunners);
const suite = fetchPackage(...conformanceSuite);
process.exitCode = node === undefined || suite === undefined ? 1 : await main();

async function main() {
  const directory = mkdtempSync(join(tmpdir(), "frond-conformance-"));
  // Below node_modules, so that what is left external is found.
  const bundle = resolve(`node_modules/.cache/frond-conformance-${process.pid}.mjs`);
  try {
    await bundleServer(bundle);
    return await runAll(bundle, directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
    rmSync(bundle, { force: true });
  }
}

async function runAll(bundle, directory) {
  const proxy = await openProxy();
  const server = startServer(bundle, directory, proxy.port);
  try {
    proxy.forwardTo(await server.ready);
    const url = `http://localhost:${proxy.port}/mcp`;
    const verdicts = await Promise.all(revisions.map((revision) => runSuite(revision, url, join(directory, revision))));
    const isConform = verdicts.map(print).every((isFine) => isFine);
    return inspectTools(node, directory) && isConform ? 0 : 1;
  } finally {
    proxy.close();
    await server.end();
  }
}

/** Its exit code counts less than it might: extensions never make it fail. */
function runSuite(revision, url, output) {
  return new Promise((done, fail) => {
    const args = [suite, "server", "--url", url, "--requirements", revision, "--output-dir", output];
    const child = spawn(node, args, { stdio: ["ignore", "ignore", "inherit"] });
    child.once("error", fail);
    child.once("close", () => done({ revision, results: readResults(suite, revision, output) }));
  });
}

function print({ revision, results }) {
  console.log(`\nMCP ${revision}`);
  for (const { name, passed, total, missed, isRequired, isFine } of results) {
    const mark = isFine ? " " : isRequired ? "!" : "?";
    console.log(`${mark} ${name.padEnd(46)} ${passed} of ${total}${isRequired ? "" : " (not required)"}`);
    if (!isRequired) continue;
    for (const { id, errorMessage } of missed) console.log(`    ${id}: ${errorMessage}`);
  }
  const required = results.filter(({ isRequired }) => isRequired);
  const sum = (key) => required.reduce((total, result) => total + result[key], 0);
  const failed = required.filter(({ isFine }) => !isFine).length;
  const verdict = failed === 0 ? "all pass" : `${failed} fail`;
  console.log(`${required.length} required scenarios, ${verdict}: ${sum("passed")} of ${sum("total")} checks`);
  return failed === 0;
}
