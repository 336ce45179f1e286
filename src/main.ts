#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import { loadApp } from "./load-app.ts";
import { explainOldNode } from "./node-version.ts";

const tooOld = explainOldNode(process.versions.node);
if (tooOld === undefined) {
  const args = process.argv.slice(2);
  const bundle = bundleFor(args);
  process.exitCode = await loadApp(fileURLToPath(new URL(bundle, import.meta.url))).main(args);
  // What a server has not been able to say by now nobody reads, and waiting for a reader would keep the process for ever.
  if (bundle !== "app.cjs") process.exit();
} else {
  process.stderr.write(`${tooOld}\n`);
  process.exitCode = 2;
}

/** The smallest that can do what is asked for. */
function bundleFor([command, ...options]: readonly string[]): string {
  if (command !== "serve") return "app.cjs";
  return options.some((option) => /^--http(=|$)/.test(option)) ? "serve-http.cjs" : "serve.cjs";
}
