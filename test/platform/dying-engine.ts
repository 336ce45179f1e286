/**
 * Runs the command of its second argument through the process port, by a slot or not as the first says. Asked to die `now` it does so at once; `untold`, in the moment
 * in which the command runs and the supervisor has not been told.
 */
import type { SlotUse } from "../../src/platform/processes/command-slots.ts";
import { OutputPipes } from "../../src/platform/processes/output-pipes.ts";
import { createProcesses } from "../../src/platform/processes/processes.ts";
import { startProcess } from "../../src/platform/processes/start-process.ts";
import { startSupervisor } from "../../src/platform/processes/supervisor.ts";
import { bashRequest } from "./run-request.ts";

const [slots, command = "", dies] = process.argv.slice(2);
const onOutput = (_: string, chunk: Uint8Array) => void process.stdout.write(chunk);
const request = bashRequest(command, { onOutput });
if (dies === "untold") {
  startSupervisor(() => {});
  startProcess(request, new OutputPipes());
} else void createProcesses({ slots: slots as SlotUse }).run(request);
if (dies !== undefined) process.kill(process.pid, "SIGKILL");
