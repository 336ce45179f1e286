/** Runs a command in a sandbox: its arguments are the workspace and the command. */
import { createEnvironment } from "../../src/platform/environment.ts";
import { createProcesses } from "../../src/platform/processes/processes.ts";
import { createSandbox } from "../../src/platform/sandbox/sandbox.ts";
import { bashRequest } from "./run-request.ts";

const [workspace = "", command = ""] = process.argv.slice(2);
const onOutput = (_: string, chunk: Uint8Array) => void process.stdout.write(chunk);
const sandbox = createSandbox(createEnvironment(process.env), "/nowhere");
const request = { cwd: workspace, sandbox: { workspace, network: "none" }, onOutput } as const;
void createProcesses({ sandbox }).run(bashRequest(command, request));
