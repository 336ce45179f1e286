import { setMaxListeners } from "node:events";
import type { Processes, ProcessRequest, ProcessResult, SandboxRequest } from "../../block/ports.ts";
import { CwdRefused } from "../files/hold-cwd.ts";
import { explainEnclosure, type Sandbox } from "../sandbox/sandbox.ts";
import { BackgroundGroups } from "./background-groups.ts";
import { endStrays } from "./end-strays.ts";
import { explainEntrance } from "./explain-entrance.ts";
import { explainStartFailure } from "./explain-start-failure.ts";
import { inspectProcess } from "./inspect-process.ts";
import { endLeftovers } from "./leftovers.ts";
import { OutputPipes } from "./output-pipes.ts";
import { ProcessGroup } from "./process-group.ts";
import { identifyProcess } from "./process-identity.ts";
import { RunningProcess } from "./running-process.ts";
import { type StartedProcess, type StartRequest, startProcess } from "./start-process.ts";
import { type Supervisor, startSupervisor } from "./supervisor.ts";

export interface ProcessesOptions {
  /** Between TERM and KILL. */
  readonly graceMs?: number;
  /** Without it, no command runs that is to run in one. */
  readonly sandbox?: Sandbox;
  /** Told what the user should know although nothing has failed. */
  readonly onWarning?: (message: string) => void;
}

/** For others of the platform, who may hand over more than blocks. */
export interface StartableProcesses extends Processes {
  run(request: StartRequest): Promise<ProcessResult>;
}

const defaultGraceMs = 5000;
/** Of a sandbox whose files are replaced while it is made. */
const mostEnclosures = 10;

export function createProcesses(options: ProcessesOptions = {}): StartableProcesses {
  const graceMs = options.graceMs ?? defaultGraceMs;
  const pipes = new OutputPipes();
  const background = new BackgroundGroups();
  const running = new Map<RunningProcess, Promise<ProcessResult>>();
  let supervisor: Supervisor | undefined;
  let closed = false;

  /** Does not pause between the start and the supervisor's knowing of it, so that no death of ours falls in between. */
  function start(request: StartRequest): RunningProcess | StartedProcess {
    supervisor ??= startSupervisor(options.onWarning ?? (() => {}));
    const { add, remove } = supervisor;
    const started = startProcess(request, pipes);
    const { pid } = started.child;
    if (pid === undefined) return started;
    add(pid);
    request.onStarted?.(identifyProcess(pid));
    request.onSpawned?.(started.child);
    const isEnclosed = request.sandbox !== undefined && !request.keepBackground;
    return new RunningProcess(started, new ProcessGroup(pid, remove, { isEnclosed }));
  }

  async function finish(command: RunningProcess, request: ProcessRequest): Promise<ProcessResult> {
    const abort = () => void command.end(graceMs);
    // A run hands the same signal to all its commands; Node takes more than ten listeners for a leak.
    setMaxListeners(0, request.signal);
    request.signal.addEventListener("abort", abort, { once: true });
    const result = await command.result();
    request.signal.removeEventListener("abort", abort);
    running.delete(command);
    if (command.group.isAlive()) leaveBehind(command, request);
    else command.closeOutput();
    return result;
  }

  function leaveBehind(command: RunningProcess, { owner, keepBackground }: ProcessRequest): void {
    command.ignoreOutput();
    const left = { group: command.group, release: () => command.closeOutput() };
    if (keepBackground && !closed) background.keep(owner, left);
    else void background.end(owner, left, graceMs);
  }

  async function run(request: StartRequest): Promise<ProcessResult> {
    if (closed) return notStarted(`'${request.file}' was not started because Frond is shutting down`);
    if (request.signal.aborted) return notStarted(`'${request.file}' was cancelled before it started`);
    let command: RunningProcess | StartedProcess;
    try {
      command = start(request);
    } catch (error) {
      return notStarted(error instanceof CwdRefused ? error.message : explainStartFailure(error, request));
    }
    if (!(command instanceof RunningProcess)) {
      return notStarted(explainStartFailure(await startFailure(command), request));
    }
    const result = finish(command, request);
    running.set(command, result);
    return request.entrance === undefined ? result : explainEntrance(await result, request);
  }

  async function runEnclosed(request: StartRequest, wanted: SandboxRequest): Promise<ProcessResult> {
    for (let tries = 1; ; tries++) {
      const enclosed = await options.sandbox?.enclose(request, wanted, pipes);
      if (!enclosed?.ok)
        return notStarted(enclosed?.error ?? `'${request.file}' should run in a sandbox, and none can be made`);
      let result: ProcessResult;
      try {
        result = await run(enclosed.value.start);
      } finally {
        enclosed.value.release();
      }
      const { hasBegun, refusal } = enclosed.value;
      if (hasBegun || request.signal.aborted || !result.started) return explained(result);
      if (tries === mostEnclosures) return refusal === undefined ? explained(result) : notStarted(refusal);
    }
  }

  return {
    inspect: inspectProcess,
    run: (request) => (request.sandbox === undefined ? run(request) : runEnclosed(request, request.sandbox)),
    endBackground: (owner) => background.endOf(owner, graceMs),
    endLeftovers: (processes) => endLeftovers(processes, graceMs),
    endStrays: (variable, values) => endStrays(values.map((value) => `${variable}=${value}\0`)),
    async close(closeGraceMs) {
      closed = true;
      for (const command of running.keys()) void command.end(closeGraceMs);
      await Promise.all([...running.values(), background.endAll(closeGraceMs)]);
      pipes.close();
      await supervisor?.close();
    },
  };
}

function startFailure({ child, stdout, stderr }: StartedProcess): Promise<Error> {
  stdout.close();
  stderr.close();
  return new Promise((resolve) => child.once("error", resolve));
}

/** What bubblewrap says by itself is not the command's. */
function explained(result: ProcessResult): ProcessResult {
  const problem = explainEnclosure(result);
  return problem === undefined ? result : notStarted(problem);
}

function notStarted(message: string): ProcessResult {
  return { started: false, message };
}
