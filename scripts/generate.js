// Writes the files that follow from the code, or with --check fails when one of them is out of date.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describeServer } from "./docs/call-server.js";
import { describeApi, routeTable } from "./docs/describe-api.js";
import { libraryTable } from "./docs/library-table.js";
import { toolsPage, toolTable } from "./docs/tools-page.js";
import { layerTable, restrictImports } from "./layers.js";

const server = await describeServer();
const api = await describeApi();
const keyTables = JSON.parse(print("docs", "keys"));
const files = {
  "schema/workflow.schema.json": print("schema"),
  "schema/test.schema.json": print("schema", "--tests"),
  "schema/openapi.json": `${JSON.stringify(api, undefined, 2)}\n`,
  "docs/http.md": putBetween("docs/http.md", readFileSync("docs/http.md", "utf8"), "routes", routeTable(api)),
  "docs/cli.md": print("docs", "cli"),
  "docs/blocks.md": print("docs", "blocks"),
  "docs/tools.md": toolsPage(server),
  "README.md": readme(),
  ...Object.fromEntries(Object.entries(keyTables).map(([file, tables]) => [file, putTables(file, tables)])),
  "ARCHITECTURE.md": putBetween("ARCHITECTURE.md", readFileSync("ARCHITECTURE.md", "utf8"), "layers", layerTable()),
  "biome.json": restrictImports(readFileSync("biome.json", "utf8")),
};

const check = process.argv.includes("--check");
const stale = [];
for (const [file, wanted] of Object.entries(files)) {
  if (readOptional(file) === wanted) continue;
  if (check) stale.push(file);
  else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, wanted);
    console.log(`wrote ${file}`);
  }
}
if (stale.length > 0) {
  console.error(`Out of date: ${stale.join(", ")}. Run: npm run build && npm run generate`);
  process.exitCode = 1;
}

/** What the command line says. */
function print(...args) {
  return execFileSync(process.execPath, ["dist/main.js", ...args], { encoding: "utf8", maxBuffer: 64_000_000 });
}

function readme() {
  const old = readFileSync("README.md", "utf8");
  const withTools = putBetween("README.md", old, "tools", toolTable(server, "docs/tools.md"));
  return putBetween("README.md", withTools, "library", libraryTable(JSON.parse(print("list", "--json"))));
}

function putTables(file, tables) {
  const put = (page, [what, table]) => putBetween(file, page, what, table);
  return Object.entries(tables).reduce(put, readFileSync(file, "utf8"));
}

/** The page with another text between two lines of it. */
function putBetween(file, page, what, text) {
  const [start, end] = [`<!-- ${what} -->`, `<!-- end of ${what} -->`];
  const [before, rest = ""] = page.split(`${start}\n`);
  const [, after] = rest.split(`${end}\n`);
  if (after === undefined) throw new Error(`${file} has lost the lines ${start} and ${end}.`);
  return `${before}${start}\n\n${text}\n\n${end}\n${after}`;
}

function readOptional(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
