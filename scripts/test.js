// Everything that has to pass: `npm test`. What waits for the network, or leaves a core idle, runs beside something else.
import { spawn } from "node:child_process";
import { isBuilt } from "./is-built.js";

// `npm ci` has just built it on a fresh machine.
if (!isBuilt() && !(await run("build")())) process.exit(1);
// What can't be had is told by the step that needs it.
const fetched = start(process.execPath, ["scripts/fetch-packages.js"], "ignore").then(() => true);
const steps = [
  beside(run("check-code"), run("check-package")),
  beside(
    run("unit"),
    inTurn(() => fetched, run("other-nodes"), run("conformance")),
  ),
];
let hasPassed = true;
for (const step of steps) hasPassed &&= await step();
// Also when a step has failed: half a package would be taken for a whole one.
await fetched;
process.exitCode = hasPassed ? 0 : 1;

/** A script of package.json; whether it has passed. */
function run(name) {
  return (stdio = "inherit") => start("npm", ["run", name], stdio);
}

/** Steps one after the other, as long as they pass. */
function inTurn(...steps) {
  return async (stdio) => {
    for (const step of steps) if (!(await step(stdio))) return false;
    return true;
  };
}

/** Two steps at the same time. What the second says is held back, so that the two do not mix. */
function beside(first, second) {
  return async () => {
    const said = [];
    const hold = (chunk) => said.push(chunk);
    const both = await Promise.all([first(), second(hold)]);
    process.stdout.write(Buffer.concat(said));
    return both.every((hasPassed) => hasPassed);
  };
}

/** `output` is what becomes of what it says, or a function that is given it. */
function start(file, args, output) {
  const isHeld = typeof output === "function";
  const child = spawn(file, args, { stdio: ["ignore", ...(isHeld ? ["pipe", "pipe"] : [output, output])] });
  if (isHeld) for (const stream of [child.stdout, child.stderr]) stream.on("data", output);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code === 0));
  });
}
