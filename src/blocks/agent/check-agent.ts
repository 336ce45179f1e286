import { isAbsolute } from "node:path";
import { compileAnswerSchema } from "../../block/answer-schema.ts";
import type { BlockPrograms, InputProblem, KnownValues, Written, WrittenInputs } from "../../block/define-block.ts";
import { isList, isMap } from "../../expression/value.ts";
import { checkSurroundings, referencesIn } from "../shell/check-surroundings.ts";
import type { AgentProgram, OptionalInput } from "./agent-program.ts";
import { findAgent } from "./agent-programs.ts";

/** What can be seen of an Agent's inputs as they are written. */
export function checkAgent(written: WrittenInputs): InputProblem[] {
  const { agent, program, working_dir: directory, schema } = written;
  const chosen = agent?.known ? findAgent(String(agent.value)) : undefined;
  return [
    ...checkProgram(program),
    ...(chosen === undefined ? [] : checkFor(chosen, written)),
    ...checkDirectory(directory),
    ...checkSchema(schema),
  ];
}

/** A value must not become code by the environment either. */
export function checkAgentValues({ env }: WrittenInputs, known: KnownValues): InputProblem[] {
  const found = checkSurroundings({ command: undefined, args: undefined, stdin: undefined, env }, known);
  return found.map(({ fix, ...problem }) =>
    // There is nothing here that a block could be `unsafe` for.
    fix === undefined ? problem : { ...problem, fix: fix.replace(/,? or say `unsafe: true`/, "") },
  );
}

/** Who writes the prompt of an agent that may change or run something decides what it does, and so do the files that it finds. */
export function agentCommands({
  prompt,
  access,
  allowed_tools: tools,
  working_dir,
  agent,
}: WrittenInputs): BlockPrograms {
  const isReader = access?.known === true && access.value === "read" && tools === undefined;
  const inputs = isReader ? [working_dir, agent] : [prompt, access, tools, working_dir, agent];
  return { chosen: inputs.flatMap(referencesOf), files: [/(?:)/], written: [] };
}

function referencesOf(written: Written | undefined): readonly string[] {
  if (written === undefined || written.known) return [];
  return [...referencesIn(written), ...(written.items ?? []).flatMap(referencesOf)];
}

function checkProgram(program: Written | undefined): InputProblem[] {
  if (program === undefined) return [];
  if (!program.known) {
    const message = "program takes a value, which would choose what is run.";
    return [{ code: "computed-program", level: "error", message, fix: "Write it out.", input: "program" }];
  }
  const path = String(program.value);
  if (isAbsolute(path) || !path.includes("/")) return [];
  const message = `program '${path}' is a relative path, so what lies in the workspace would be run.`;
  const fix = "Write an absolute path, or a name on PATH.";
  return [{ code: "relative-program", level: "error", message, fix, input: "program" }];
}

function checkFor(chosen: AgentProgram, written: WrittenInputs): InputProblem[] {
  const lacking = (Object.keys(chosen.lacks) as OptionalInput[]).filter((input) => isGiven(written[input]));
  const problems = lacking.map(
    (input): InputProblem => ({
      code: "agent-lacks-input",
      level: "error",
      message: explainLack(chosen, input),
      fix: `Leave out ${input}: ${chosen.lacks[input]}.`,
      input,
    }),
  );
  if (chosen.keepsBudget || written.budget_usd === undefined) return problems;
  const message = `${chosen.name} does not stop at budget_usd: the amount is reserved, and what it costs is counted when it has ended.`;
  return [...problems, { code: "budget-not-kept", level: "hint", message, input: "budget_usd" }];
}

/** What an agent can't be told. */
export function explainLack({ name }: AgentProgram, input: OptionalInput): string {
  return `${name} has no option for ${input}.`;
}

function isGiven(written: Written | undefined): boolean {
  return written !== undefined && !(written.known && isList(written.value) && written.value.length === 0);
}

function checkDirectory(directory: Written | undefined): InputProblem[] {
  if (!directory?.known || typeof directory.value !== "string") return [];
  if (!isAbsolute(directory.value) && !directory.value.split("/").includes("..")) return [];
  const message = "working_dir may lie outside the workspace, where an agent is not started.";
  const fix = "Use a path relative to the workspace, without `..`.";
  return [{ code: "outside-workspace", level: "error", message, fix, input: "working_dir" }];
}

function checkSchema(schema: Written | undefined): InputProblem[] {
  if (!schema?.known || !isMap(schema.value)) return [];
  const compiled = compileAnswerSchema(schema.value);
  if (compiled.ok) return [];
  return [{ code: "bad-schema", level: "error", message: `${compiled.error}.`, input: "schema" }];
}
