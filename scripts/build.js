// Bundles the command line into dist/: main.js (the bin, tiny) and app.cjs (everything else), because one file starts in half
// the time of many; and leaves V8's code cache beside it, which saves compiling it at every start.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const bundle = resolve("dist/app.cjs");
const bundled = ["commander", "yaml", "zod"];
const shared = {
  bundle: true,
  platform: "node",
  target: "node20.19",
  logLevel: "warning",
  legalComments: "none",
  minifySyntax: true,
  minifyWhitespace: true,
};

await rm("dist", { recursive: true, force: true });
await build({ ...shared, entryPoints: ["src/main.ts"], format: "esm", outfile: "dist/main.js" });
await build({
  ...shared,
  entryPoints: ["src/app.ts"],
  format: "cjs",
  outfile: bundle,
  // Needed by few commands: installed as dependencies and loaded on first use instead of being parsed at every start.
  external: ["@cfworker/json-schema", "@clack/prompts", "libsql", "minijinja-js", "re2js"],
  define: { "import.meta.url": "bundleUrl" },
  banner: { js: "const bundleUrl=require('node:url').pathToFileURL(__filename).href;" },
});
writeLicences();
await writeCodeCache();

/** What is bundled is distributed, and its licences ask to go with it. */
function writeLicences() {
  const texts = bundled.map((name) => `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()}\n`);
  writeFileSync("dist/third-party-licences.txt", texts.join(`\n${"-".repeat(80)}\n\n`));
}

/** V8 caches what has been compiled, and compiles what has been called: so a typical command is run first. */
async function writeCodeCache() {
  const loader = resolve("node_modules/.cache/frond-load-app.mjs");
  await build({ ...shared, entryPoints: ["src/load-app.ts"], format: "esm", outfile: loader });
  const { codeCacheFile, compileApp } = await import(pathToFileURL(loader).href);
  const { app, script } = compileApp("dist");
  const code = await inStateDirectoryOfItsOwn(() => withSilentOutput(() => app.main(["run", "hello-world"])));
  if (code !== 0) throw new Error("The bundle can't run hello-world.");
  writeFileSync(codeCacheFile("dist"), script.createCachedData());
}

/** The run that is only for the cache leaves nothing among the user's own. */
async function inStateDirectoryOfItsOwn(action) {
  const directory = mkdtempSync(join(tmpdir(), "frond-build-"));
  const { FROND_STATE_DIR: own } = process.env;
  process.env.FROND_STATE_DIR = directory;
  try {
    return await action();
  } finally {
    if (own === undefined) delete process.env.FROND_STATE_DIR;
    else process.env.FROND_STATE_DIR = own;
    rmSync(directory, { recursive: true, force: true });
  }
}

async function withSilentOutput(action) {
  const { write } = process.stdout;
  process.stdout.write = () => true;
  try {
    return await action();
  } finally {
    process.stdout.write = write;
  }
}
