// Writes the files that follow from the code, or with --check fails when one of them is out of date.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const files = {
  "schema/workflow.schema.json": ["schema"],
  "docs/cli.md": ["docs", "cli"],
  "docs/blocks.md": ["docs", "blocks"],
};

const check = process.argv.includes("--check");
const stale = [];
for (const [file, args] of Object.entries(files)) {
  const wanted = execFileSync(process.execPath, ["dist/main.js", ...args], { encoding: "utf8", maxBuffer: 64_000_000 });
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

function readOptional(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
