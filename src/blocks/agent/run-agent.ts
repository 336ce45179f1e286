import { isAbsolute, resolve } from "node:path";
import { BlockCannotRun, type BlockContext, type BlockResult } from "../../block/define-block.ts";
import type { ProcessResult } from "../../block/ports.ts";
import type { Value, ValueMap } from "../../expression/value.ts";
import { defined } from "../../util/defined.ts";
import { commandVariables } from "../command-variables.ts";
import { explainExit } from "../explain-exit.ts";
import { gitVariables } from "../git/git-variables.ts";
import { allInput } from "../model/model-cost.ts";
import { chargesOf, knownCost } from "./agent-cost.ts";
import type { Access, AgentProgram, AgentReport, AgentTask, OptionalInput } from "./agent-program.ts";
import { findAgent } from "./agent-programs.ts";
import { explainLack } from "./check-agent.ts";
import { EventLines } from "./event-lines.ts";
import { askForJson, readFinalJson } from "./final-json.ts";
import { overloadedModel } from "./overload.ts";
import { oneLine } from "./show-event.ts";

/** The inputs of an Agent block. */
export interface AgentInputs {
  readonly agent: string;
  readonly prompt: string;
  readonly model: string;
  readonly access: Access;
  readonly allowed_tools: readonly string[];
  readonly working_dir: string;
  readonly max_turns?: number | undefined;
  readonly budget_usd?: number | undefined;
  readonly session: string;
  readonly schema?: Readonly<Record<string, unknown>> | undefined;
  readonly env: Readonly<Record<string, string | number | boolean>>;
  readonly program?: string | undefined;
}

/** Of stdout only events count, which are read as they come. */
const mostOutput = 64 * 1024;

export async function runAgent(input: AgentInputs, context: BlockContext): Promise<BlockResult> {
  const program = findAgent(input.agent);
  if (program === undefined) throw new BlockCannotRun(`There is no agent '${input.agent}'.`);
  if (program.hasSandbox && context.sandbox !== undefined && input.access !== "full") {
    throw new BlockCannotRun(
      `${program.name} can't make its own sandbox inside the one of the block. Say \`access: full\`: what the block's sandbox forbids stays forbidden.`,
    );
  }
  const file = findProgram(program, input.program, context);
  const { args, env: own = {} } = program.command(taskOf(program, input));
  const directory = resolve(context.workspace, input.working_dir);
  const env = { ...context.environment.variables, ...own, ...commandVariables(input.env, context) };
  const isChosen = !context.isLiteral("working_dir");
  const heard = new HeardAgent(program, input, context);
  const result = await context.processes.run({
    file,
    args,
    cwd: directory,
    within: context.workspace,
    env: isChosen ? { ...env, ...(await gitVariables(directory, env, context)) } : env,
    stdin: promptOf(program, input),
    maxOutput: mostOutput,
    capture: true,
    keepBackground: false,
    owner: context.runId,
    signal: AbortSignal.any([context.signal, heard.overBudget]),
    onOutput: (stream, chunk) => {
      if (stream === "stdout") heard.lines.write(chunk);
      else context.log(stream, chunk);
    },
  });
  if (!result.started) throw new BlockCannotRun(result.message);
  heard.lines.end();
  return settle(heard, result, context);
}

/** The words after `frond logs`. */
export function transcriptOf({ runId, path, attempt }: BlockContext): string {
  return `${runId} ${path}@${attempt}`;
}

function findProgram(
  { name, install }: AgentProgram,
  given: string | undefined,
  { environment }: BlockContext,
): string {
  if (given !== undefined && isAbsolute(given)) return given;
  const wanted = given ?? name;
  const found = wanted.includes("/") ? undefined : environment.findProgram(wanted);
  if (found !== undefined) return found;
  throw new BlockCannotRun(
    `There is no program '${wanted}' on PATH. Install it with \`${install}\`, or name its file with \`program\`.`,
  );
}

/** As it may stand alone among the arguments of a program: nothing that could be an option. */
const sessionName = /^[A-Za-z0-9][\w.-]*$/;

function taskOf(program: AgentProgram, input: AgentInputs): AgentTask {
  const { access, allowed_tools: allowedTools, max_turns: maxTurns, budget_usd: budgetUsd } = input;
  const [model, session] = [input.model || undefined, input.session || undefined];
  const given: Readonly<Record<OptionalInput, boolean>> = {
    allowed_tools: allowedTools.length > 0,
    max_turns: maxTurns !== undefined,
  };
  const lacking = (Object.keys(program.lacks) as OptionalInput[]).find((name) => given[name]);
  if (lacking !== undefined) {
    throw new BlockCannotRun(`${explainLack(program, lacking)} Leave it out: ${program.lacks[lacking]}.`);
  }
  if (session !== undefined && !sessionName.test(session)) {
    throw new BlockCannotRun(`session '${oneLine(session)}' is no session_id.`);
  }
  return { access, allowedTools, ...defined({ model, maxTurns, budgetUsd, session, schema: schemaOf(input) }) };
}

function schemaOf({ schema }: AgentInputs): ValueMap | undefined {
  return schema as ValueMap | undefined;
}

function promptOf({ hasSchema }: AgentProgram, input: AgentInputs): string {
  const schema = schemaOf(input);
  return schema === undefined || hasSchema ? input.prompt : `${input.prompt}${askForJson(schema)}`;
}

/** What an agent tells while it works. */
class HeardAgent {
  readonly program: AgentProgram;
  readonly input: AgentInputs;
  readonly report: AgentReport = { text: "", hasEnded: false };
  readonly lines: EventLines;
  /** The beginning of what it wrote that is no event. */
  stray = "";
  hasBegun = false;
  readonly #overBudget = new AbortController();

  constructor(program: AgentProgram, input: AgentInputs, { log }: BlockContext) {
    this.program = program;
    this.input = input;
    this.lines = new EventLines({
      onEvent: (event) => {
        this.hasBegun = true;
        const shown = program.read(event, this.report);
        if (shown !== undefined && shown !== "") log("stdout", Buffer.from(`${shown}\n`));
        if (this.isOverBudget) this.#overBudget.abort();
      },
      onText: (line) => {
        if (this.stray === "") this.stray = oneLine(Buffer.from(line).toString());
        log("stdout", Buffer.concat([line, Buffer.from("\n")]));
      },
    });
  }

  get isOverBudget(): boolean {
    const { costUsd = 0, hasEnded } = this.report;
    return !hasEnded && this.input.budget_usd !== undefined && costUsd > this.input.budget_usd;
  }

  get overBudget(): AbortSignal {
    return this.#overBudget.signal;
  }
}

type EndedProcess = ProcessResult & { readonly started: true };

function settle(heard: HeardAgent, ended: EndedProcess, context: BlockContext): BlockResult {
  const { program, report, input } = heard;
  const cost = knownCost(program, report, input.model || undefined, context.prices);
  const hasSpent = cost !== undefined || heard.hasBegun;
  for (const charge of hasSpent ? chargesOf(cost, report.hasEnded, input.budget_usd) : []) context.spend(charge);
  const { usage } = report;
  const schema = schemaOf(input);
  const outputs: Record<string, Value> = {
    text: report.text,
    json: null,
    cost_usd: (report.hasEnded ? cost?.usd : undefined) ?? null,
    tokens_in: usage === undefined ? null : allInput(usage),
    tokens_out: usage?.output ?? null,
    session_id: report.sessionId ?? "",
    transcript: transcriptOf(context),
    turns: report.turns ?? null,
    exit_code: ended.exitCode,
  };
  const problem = problemOf(heard, ended);
  if (problem !== undefined) {
    const retryAfterMs = report.failure?.isOverload === true ? report.retryAfterMs : undefined;
    return { kind: "failed", message: problem, outputs, ...defined({ retryAfterMs }) };
  }
  if (schema === undefined) return { kind: "succeeded", outputs };
  const json = readFinalJson(schema, report.text, report.json);
  if (json.ok) return { kind: "succeeded", outputs: { ...outputs, json: json.value } };
  return {
    kind: "failed",
    message: `${program.name}: the final answer does not fit the schema: ${json.error}`,
    outputs,
  };
}

function problemOf(heard: HeardAgent, ended: EndedProcess): string | undefined {
  const { program, report, input, stray } = heard;
  const { failure } = report;
  if (heard.overBudget.aborted)
    return `${program.name} was ended: it has cost more than budget_usd (${input.budget_usd})`;
  if (failure?.isOverload) return `${program.name}: ${overloadedModel}: ${oneLine(failure.message)}`;
  if (failure !== undefined) return `${program.name}: ${oneLine(failure.message)}`;
  if (ended.exitCode !== 0) return `${program.name}: ${explainExit(ended)}`;
  if (report.hasEnded) return undefined;
  const wrote = stray === "" ? "" : `; it wrote: ${stray}`;
  return `${program.name} ended without an answer in the form that is expected of it${wrote}`;
}
