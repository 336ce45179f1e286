#!/usr/bin/env node
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { loadApp } from "./load-app.ts";
import { explainOldNode } from "./node-version.ts";

const tooOld = explainOldNode(process.versions.node);
if (tooOld === undefined) {
  const { main } = loadApp(dirname(fileURLToPath(import.meta.url)));
  process.exitCode = await main(process.argv.slice(2));
} else {
  process.stderr.write(`${tooOld}\n`);
  process.exitCode = 2;
}
