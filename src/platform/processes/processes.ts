import { setMaxListeners } from "node:events";
import type { Processes, ProcessRequest, ProcessResult, SandboxRequest } from "../../block/ports.ts";
import { CwdRefused } from "../files/hold-cwd.ts";
import { explainEnclosure, type Sandbox } from "../sandbox/sandbox.ts";
import { BackgroundGroups } from "./background-groups.ts";
import { type AskedCommand, CommandSlots, type SlotUse } from "./command-slots.ts";
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
  /** Whether commands are started by slots. */
  readonly slots?: SlotUse;
  /** Told what the user should know although nothing has failed. */
  readonly onWarning?: (message: string) => void;
}

/** For others of the platform, who may hand over more than blocks. */
export interface StartableProcesses extends Processes {
  run(request: StartRequest): Promise<ProcessResult>;
}

/** A command, or the start of one. */
interface Endable {
  end(graceMs: number): unknown;
}

const defaultGraceMs = 5000;
/** Of a sandbox whose files are replaced while it is made. */
const mostEnclosures = 10;

export function createProcesses(options: ProcessesOptions = {}): StartableProcesses {
  const graceMs = options.graceMs ?? defaultGraceMs;
  const pipes = new OutputPipes();
  const background = new BackgroundGroups();
  const running = new Map<Endable, Promise<unknown>>();
  let supervisor: Supervisor | undefined;
  let slots: CommandSlots | undefined;
  let closeGraceMs: number | undefined;

  function supervised(): Supervisor {
    supervisor ??= startSupervisor(options.onWarning ?? (() => {}));
    return supervisor;
  }

  /** Does not pause between the start and the supervisor's knowing of it, so that no death of ours falls in between. */
  function start(request: StartRequest): RunningProcess | StartedProcess {
    const { add, remove } = supervised();
    const started = startProcess(request, pipes);
    const { pid } = started.child;
    if (pid === undefined) return started;
    add(pid);
    request.onStarted?.(identifyProcess(pid));
    request.onSpawned?.(started.child);
    const isEnclosed = request.sandbox !== undefined && !request.keepBackground;
    const command = new RunningProcess(started, new ProcessGroup(pid, remove, { isEnclosed }));
    started.child.once("exit", (code, signal) => command.exited({ code, signal }));
    return command;
  }

  /** Nothing when it has not been started, for a reason that is not its own. */
  async function runInSlot(asked: AskedCommand, request: StartRequest): Promise<ProcessResult | undefined> {
    const abort = () => asked.end(graceMs);
    listen(request.signal, abort);
    running.set(asked, asked.started);
    const start = await asked.started;
    request.signal.removeEventListener("abort", abort);
    running.delete(asked);
    if (start === undefined || "problem" in start) {
      asked.stdout.close();
      asked.stderr.close();
      return start && notStarted(explainStartFailure(start.problem, request));
    }
    const { add, remove } = supervised();
    add(start.pid);
    request.onStarted?.(start);
    const command = new RunningProcess(asked, new ProcessGroup(start.pid, remove));
    let problem: Error | undefined;
    void asked.ended.then((end) => {
      // Its slot has died: nobody will be told how it ends.
      if (end === undefined) return command.end(graceMs);
      if ("problem" in end) problem = end.problem;
      return command.exited("problem" in end ? { code: 127, signal: null } : end);
    });
    const result = await finish(command, request);
    asked.done();
    return problem === undefined ? result : notStarted(explainStartFailure(problem, request));
  }

  function finish(command: RunningProcess, request: ProcessRequest): Promise<ProcessResult> {
    const result = awaitEnd(command, request);
    running.set(command, result);
    if (closeGraceMs !== undefined) void command.end(closeGraceMs);
    return result;
  }

  async function awaitEnd(command: RunningProcess, request: ProcessRequest): Promise<ProcessResult> {
    const abort = () => void command.end(graceMs);
    listen(request.signal, abort);
    if (request.signal.aborted) abort();
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
    if (keepBackground && closeGraceMs === undefined) background.keep(owner, left);
    else void background.end(owner, left, graceMs);
  }

  async function run(request: StartRequest): Promise<ProcessResult> {
    const refusal = refuse(request);
    if (refusal !== undefined) return refusal;
    slots ??= new CommandSlots({ use: options.slots ?? "when it pays", pipes, supervisor: supervised() });
    const asked = slots.ask(request);
    const result = asked && (await runInSlot(asked, request));
    return result ?? (asked && refuse(request)) ?? runDirectly(request);
  }

  function refuse({ file, signal }: StartRequest): ProcessResult | undefined {
    if (closeGraceMs !== undefined) return notStarted(`'${file}' was not started because Frond is shutting down`);
    return signal.aborted ? notStarted(`'${file}' was cancelled before it started`) : undefined;
  }

  async function runDirectly(request: StartRequest): Promise<ProcessResult> {
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
    async close(withinMs) {
      closeGraceMs = Math.min(closeGraceMs ?? withinMs, withinMs);
      for (const command of running.keys()) void command.end(withinMs);
      const ending = background.endAll(withinMs);
      // What is just being started is another one when it runs.
      while (running.size > 0) await Promise.all(running.values());
      await ending;
      await slots?.close();
      pipes.close();
      await supervisor?.close();
    },
  };
}

/** A run hands the same signal to all its commands; Node takes more than ten listeners for a leak. */
function listen(signal: AbortSignal, listener: () => void): void {
  setMaxListeners(0, signal);
  signal.addEventListener("abort", listener, { once: true });
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
