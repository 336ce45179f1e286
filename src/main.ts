#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import { loadApp } from "./load-app.ts";
import { explainOldNode } from "./node-version.ts";

const tooOld = explainOldNode(process.versions.node);
if (tooOld === undefined) {
  const args = process.argv.slice(2);
  process.exitCode = await loadApp(fileURLToPath(new URL(bundleFor(args), import.meta.url))).main(args);
} else {
  process.stderr.write(`${tooOld}\n`);
  process.exitCode = 2;
}

/** The smallest that can do what is asked for. */
function bundleFor([command, ...options]: readonly string[]): string {
  if (command !== "serve") return "app.cjs";
  return options.some((option) => /^--http(=|$)/.test(option)) ? "serve-http.cjs" : "serve.cjs";
}
