/** Runs the command of its first argument through the process port; with a second one, dies at once. */
import { createProcesses } from "../../src/node/processes.ts";
import { bashRequest } from "./run-request.ts";

const [command = "", dies] = process.argv.slice(2);
const onOutput = (_: string, chunk: Uint8Array) => void process.stdout.write(chunk);
void createProcesses().run(bashRequest(command, { onOutput }));
if (dies !== undefined) process.kill(process.pid, "SIGKILL");
