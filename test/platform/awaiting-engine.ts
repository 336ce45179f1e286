/** Runs the command of its first argument by a slot, waits for nothing else, and prints how it ended. */
import { createProcesses } from "../../src/platform/processes/processes.ts";
import { bashRequest } from "./run-request.ts";

const processes = createProcesses({ slots: "always" });
const result = await processes.run(bashRequest(process.argv[2] ?? ""));
process.stdout.write(JSON.stringify(result));
await processes.close(0);
