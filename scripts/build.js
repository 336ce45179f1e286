// Bundles the command line into dist/: main.js (the bin, tiny), app.cjs (everything but the server), serve.cjs (with it) and serve-http.cjs,
// and template-thread.cjs, what renders templates, observe-thread.cjs, what looks at workspaces; because one file starts in half the time of many; and leaves V8's code cache beside each, which saves compiling at every start.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { buildPage } from "./build-page.js";
import { buildThreads } from "./threads.js";

const bundled = ["commander", "preact", "yaml", "zod", "@modelcontextprotocol/core", "@modelcontextprotocol/server"];
const shared = {
  bundle: true,
  platform: "node",
  target: "node20.19",
  logLevel: "warning",
  legalComments: "none",
  // Which is also how the bundles are read.
  charset: "ascii",
  minifySyntax: true,
  minifyWhitespace: true,
};

/** V8 caches what has been compiled, and compiles what has been called: so something typical is done with each first. */
const bundles = [
  { name: "app", args: ["run", "hello-world"], input: "" },
  { name: "serve", args: ["serve"], input: typicalRequests() },
  { name: "serve-http", args: ["serve"], input: typicalRequests() },
];

await rm("dist", { recursive: true, force: true });
buildThreads("dist");
await buildPage("dist/page");
// CommonJS, because Node starts that sooner than a module.
await build({
  ...shared,
  entryPoints: ["src/main.ts"],
  format: "cjs",
  outfile: "dist/main.js",
  define: { "import.meta.dirname": "__dirname" },
});
for (const [directory, type] of Object.entries({ dist: "commonjs", "dist/page": "module" })) {
  writeFileSync(join(directory, "package.json"), `${JSON.stringify({ type })}\n`);
}
const temporary = mkdtempSync(join(tmpdir(), "frond-build-"));
const loader = join(temporary, "load-app.mjs");
await build({ ...shared, entryPoints: ["src/load-app.ts"], format: "esm", outfile: loader });
const { codeCacheFile } = await import(pathToFileURL(loader).href);
await writeKnownHeads();
for (const { name, args, input } of bundles) {
  await build({
    ...shared,
    entryPoints: [`src/${name}.ts`],
    format: "cjs",
    outfile: `dist/${name}.cjs`,
    // Needed by few commands: installed as dependencies and loaded on first use instead of being parsed at every start.
    external: ["@cfworker/json-schema", "libsql", "re2js"],
    define: { "import.meta.url": "bundleUrl" },
    banner: { js: "const bundleUrl=require('node:url').pathToFileURL(__filename).href;" },
  });
  writeCodeCache(`dist/${name}.cjs`, args, input);
}
await writeGreeting();
rmSync(temporary, { recursive: true });
writeLicences();

/** What a list shows of the workflows that come with Frond, which nobody has to read again. */
async function writeKnownHeads() {
  const outfile = join(temporary, "read-heads.cjs");
  const contents = `export { headKey } from "./src/known-heads.ts"; export { createLoader } from "./src/definition/load-workflow.ts";`;
  await build({
    ...shared,
    stdin: { contents, resolveDir: "." },
    format: "cjs",
    outfile,
    define: { "import.meta.url": "__filename" },
  });
  const { createLoader, headKey } = createRequire(import.meta.url)(outfile);
  const { head } = createLoader();
  const heads = readdirSync("workflows", { recursive: true, encoding: "utf8" })
    .filter((name) => /\.ya?ml$/.test(name) && !/\.test\.ya?ml$/.test(name))
    .map((name) => ({ name, text: readFileSync(join("workflows", name), "utf8") }))
    .map((source) => [headKey(source.text), head(source)]);
  writeFileSync("dist/workflow-heads.json", JSON.stringify(Object.fromEntries(heads)));
}

/** What the server answers to the first requests of most clients: said before it is loaded. */
async function writeGreeting() {
  const contents = `export { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";`;
  const outfile = join(temporary, "versions.cjs");
  await build({ ...shared, stdin: { contents, resolveDir: "." }, format: "cjs", outfile });
  const { SUPPORTED_PROTOCOL_VERSIONS: protocolVersions } = createRequire(import.meta.url)(outfile);
  // Nothing is greeted yet, so it is the server that answers; where nobody has workflows of their own.
  const env = { PATH: process.env.PATH, HOME: temporary, FROND_LOG_LEVEL: "warn" };
  const answers = execFileSync(process.execPath, [resolve("dist/main.js"), "serve"], {
    input: typicalRequests(),
    cwd: temporary,
    env,
    encoding: "utf8",
  });
  const [first, tools] = answers
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).result);
  const { protocolVersion: _, ...hello } = first;
  writeFileSync("dist/greeting.json", JSON.stringify({ protocolVersions, hello, tools }));
}

/** What is bundled is distributed, and its licences ask to go with it. */
function writeLicences() {
  const texts = bundled.map((name) => `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()}\n`);
  writeFileSync("dist/third-party-licences.txt", texts.join(`\n${"-".repeat(80)}\n\n`));
}

/** In a process of its own, and with a state directory of its own: what is done for the cache leaves nothing else behind. */
function writeCodeCache(bundle, args, input) {
  const env = { ...process.env, FROND_STATE_DIR: join(temporary, "state"), FROND_LOG_LEVEL: "warn" };
  const script = ["scripts/write-code-cache.js", loader, bundle, ...args];
  execFileSync(process.execPath, script, { input, env, stdio: ["pipe", "ignore", "inherit"] });
  // A bundle that ends the process itself leaves none, and every start would be slow without a word.
  statSync(codeCacheFile(bundle));
}

function typicalRequests() {
  const clientInfo = { name: "build", version: "1" };
  const requests = [
    { id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/list" },
    { id: 3, method: "tools/call", params: { name: "list_workflows", arguments: {} } },
  ];
  return requests.map((request) => `${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`).join("");
}
