#!/usr/bin/env node
import { join } from "node:path";
import { isatty } from "node:tty";
import { greet } from "./greet.ts";
import { Greeter } from "./greeter.ts";
import { loadApp } from "./load-app.ts";
import { explainOldNode } from "./node-version.ts";
import { hasUsualTools } from "./usual-tools.ts";

const atTerminal = [0, 1, 2].filter((stream) => isatty(stream));
process.once("exit", () => {
  if (atTerminal.some((stream) => !isatty(stream))) endWithoutTerminal();
});
const tooOld = explainOldNode(process.versions.node);
if (tooOld === undefined) void run(process.argv.slice(2));
else {
  process.stderr.write(`${tooOld}\n`);
  process.exitCode = 2;
}

async function run(args: readonly string[]): Promise<void> {
  const bundle = bundleFor(args);
  const greeter = new Greeter(join(import.meta.dirname, "greeting.json"), () => hasUsualTools(args, process.env));
  const greeted = bundle === "serve.cjs" ? await greet(greeter) : undefined;
  process.exitCode = await loadApp(join(import.meta.dirname, bundle)).main(args, greeted);
  // What a server has not been able to say by now nobody reads, and waiting for a reader would keep the process for ever.
  if (bundle !== "app.cjs") process.exit();
}

/** Node gives a terminal back at its exit, and aborts where that is gone. So the process ends as SIGHUP ends one. */
function endWithoutTerminal(): void {
  process.removeAllListeners("SIGHUP");
  process.kill(process.pid, "SIGHUP");
}

/** The smallest that can do what is asked for. */
function bundleFor([command, ...options]: readonly string[]): string {
  const isPage = command === "show" && options.some((option) => /^--html(=|$)/.test(option));
  if (command === "ui" || command === "worker" || isPage) return "serve-http.cjs";
  if (command !== "serve") return "app.cjs";
  return options.some((option) => /^--http(=|$)/.test(option)) ? "serve-http.cjs" : "serve.cjs";
}
