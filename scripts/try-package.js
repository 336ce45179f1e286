// Packs Frond as it would be released, installs the tarball in an empty directory with an empty home, and uses it there on every version of Node that is
// supported: `npm run try-package`. What the package lacks, or finds only in a clone, shows here alone.
import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { fetchNode } from "./fetch-package.js";
import { otherNodes } from "./needed-packages.js";

const run = promisify(execFile);
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const made = mkdtempSync(join(tmpdir(), "frond-package-"));
try {
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", made]);
  const [{ filename, size, entryCount }] = JSON.parse(stdout.slice(stdout.indexOf("[")));
  console.log(`${filename}: ${(size / 1e6).toFixed(1)} MB, ${entryCount} files`);
  for (const node of [process.execPath, ...otherNodes.map(fetchNode)]) await tryOn(node, join(made, filename));
} finally {
  rmSync(made, { recursive: true, force: true });
}

async function tryOn(node, tarball) {
  const home = mkdtempSync(join(made, "home-"));
  const project = join(home, "project");
  mkdirSync(project);
  const env = {
    ...process.env,
    HOME: home,
    PATH: [join(project, "node_modules/.bin"), dirname(node), process.env.PATH].join(delimiter),
  };
  const here = { cwd: project, env };
  const frond = async (...args) => (await run("frond", args, here)).stdout;
  await run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", tarball], here);
  const said = (await run("node", ["--version"], here)).stdout.trim();

  expect(said, "frond --version", await frond("--version"), version);
  expect(said, "frond run", await frond("run", "hello-world", "--input", "name=Ada"), "Hello, Ada!");
  expect(said, "frond runs", await frond("runs"), "hello-world");
  expect(said, "frond init", await frond("init"), "check");
  expect(said, "frond list", await frond("list"), "hello-world");
  expect(said, "frond show --html", await frond("show", "last", "--html", "run.html"), "run.html");
  expect(said, "frond doctor", await frond("doctor"), "journal");
  expect(said, "frond serve", await callServer(here), "Hello, Grace!");
  console.log(`Node ${said}: installed and used`);
}

/** What a server replies to a call of a tool, after the greetings of the protocol. */
async function callServer(here) {
  const server = spawn("frond", ["serve"], { ...here, stdio: ["pipe", "pipe", "ignore"] });
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const answer = async (id) => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error("The server ended without an answer.");
      if (JSON.parse(value).id === id) return value;
    }
  };
  const clientInfo = { name: "package", version: "1" };
  send({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } });
  await answer(1);
  send({ method: "notifications/initialized" });
  const call = { name: "execute_workflow", arguments: { workflow: "hello-world", inputs: { name: "Grace" } } };
  send({ id: 2, method: "tools/call", params: call });
  const reply = await answer(2);
  server.stdin.end();
  return reply;
}

function expect(node, what, said, wanted) {
  if (!said.includes(wanted)) throw new Error(`Node ${node}: ${what} did not say '${wanted}':\n${said}`);
}
