import { engineMark } from "./engine-mark.ts";
import type { OpenDescriptors } from "./open-descriptors.ts";
import { ProcessOutput } from "./process-output.ts";
import { layOutRequest } from "./request-layout.ts";
import { holdDirectory, type StartRequest } from "./start-process.ts";

/**
 * Whether a slot can start it. What depends on more than paths, arguments and variables is started without one: a sandbox, an isolated
 * workspace, further descriptors, and what is to be refused for a NUL in it.
 */
export function fitsSlot(request: StartRequest): boolean {
  const { sandbox, entrance, more, onSpawned, capture } = request;
  const parts = [sandbox, entrance, more, onSpawned];
  return capture && request.file !== "" && parts.every((part) => part === undefined);
}

export interface SlotRequest {
  readonly bytes: Buffer;
  readonly stdout: ProcessOutput;
  readonly stderr: ProcessOutput;
}

/** Opens what the command is to find open. Nothing when it does not fit after all. */
export function writeSlotRequest(request: StartRequest, open: OpenDescriptors): SlotRequest | undefined {
  const { stdin, fd3, file, args, env } = request;
  const held = holdDirectory(request);
  const cwd = held === undefined ? request.cwd : pathOf(open.add(held.fd));
  const command = [file, ...args];
  const variables = Object.entries({ ...env, ...engineMark() });
  if (!variables.every(([name]) => isName(name))) return undefined;
  const [stdout, stderr] = [open.takePipe(), open.takePipe()];
  if (stdout === undefined || stderr === undefined) return undefined;
  const bytes = layOutRequest({
    command,
    variables: variables.map(([name, value]) => `${name}=${value}`),
    cwd,
    stdin: stdin === "" ? "/dev/null" : pathOf(open.openText(stdin)),
    stdout: pathOf(stdout.readEnd),
    stderr: pathOf(stderr.readEnd),
    text: fd3 === undefined ? undefined : pathOf(open.openText(fd3)),
  });
  if (bytes === undefined) return undefined;
  return {
    bytes,
    stdout: new ProcessOutput("stdout", stdout, request),
    stderr: new ProcessOutput("stderr", stderr, request),
  };
}

/** Of ours, as others see it. Once we have died, nothing is there. */
function pathOf(descriptor: number): string {
  return `/proc/${process.pid}/fd/${descriptor}`;
}

/** What a C library takes for one. */
function isName(name: string): boolean {
  return name !== "" && !name.includes("=");
}
