/** Runs the command of its first argument, by a slot or not as the second says; prints what its process is known by, and then its output, until it is killed. */

import type { SlotUse } from "../../src/platform/processes/command-slots.ts";
import { createProcesses } from "../../src/platform/processes/processes.ts";
import { bashRequest } from "./run-request.ts";

const request = bashRequest(process.argv[2] ?? "", {
  keepBackground: true,
  onStarted: (identity) => void process.stdout.write(`${JSON.stringify(identity)}\n`),
  onOutput: (_, chunk) => void process.stdout.write(chunk),
});
setInterval(() => {}, 60_000);
void createProcesses({ slots: process.argv[3] as SlotUse }).run(request);
