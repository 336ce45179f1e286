#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import { loadApp } from "./load-app.ts";
import { explainOldNode } from "./node-version.ts";

const tooOld = explainOldNode(process.versions.node);
if (tooOld === undefined) {
  const args = process.argv.slice(2);
  const bundle = args[0] === "serve" ? "serve.cjs" : "app.cjs";
  process.exitCode = await loadApp(fileURLToPath(new URL(bundle, import.meta.url))).main(args);
} else {
  process.stderr.write(`${tooOld}\n`);
  process.exitCode = 2;
}
