import { describeInputs, type InputInfo } from "../../library/describe-workflow.ts";
import { findRunId } from "../../runs/find-run-id.ts";
import { readShownRun } from "../../views/shown-run.ts";
import type { Candidates } from "./candidate.ts";
import { type Question, workspaceOf } from "./question.ts";

/** `name=` for the inputs that are not given yet; behind it the values that the input may have, where those are known. */
export async function findInputs(question: Question): Promise<Candidates> {
  const inputs = await inputsOf(question);
  const { text, given } = question;
  const at = text.indexOf("=");
  if (at >= 0) {
    const input = inputs[text.slice(0, at)];
    const before = text.slice(0, at + 1);
    return { words: input === undefined ? [] : valuesOf(input).map((value) => ({ value: before + value })) };
  }
  const there = (given.get("--input") ?? []).map((pair) => pair.split("=")[0]);
  const words = Object.entries(inputs).flatMap(([name, input]) => {
    if (there.includes(name) || input.secret) return [];
    const about = [input.type, ...(input.required ? ["required"] : [])].join(", ");
    return [{ value: `${name}=`, description: `${(input.description ?? "").trim()} (${about})`.trim() }];
  });
  return { words };
}

type Inputs = Readonly<Record<string, InputInfo>>;

/** Of the workflow that is named before, or that of the run that is. */
async function inputsOf(question: Question): Promise<Inputs> {
  const { given, context } = question;
  const [target] = given.get("workflow") ?? given.get("--file") ?? [];
  if (target !== undefined) return declared(target, workspaceOf(question), question);
  const [run] = given.get("run") ?? [];
  const runId = run === undefined ? undefined : await findRunId(context.platform, run);
  if (!runId?.ok) return {};
  const { catalog } = context.openRuntime(".").workflows;
  const read = await readShownRun(context.platform, catalog, runId.value);
  if (!read.ok) return {};
  const { workspace, workflow, file } = read.value.run.started;
  return declared(file ?? workflow, workspace, question);
}

/** Also of one that is not trusted, for nothing of it is run. */
function declared(target: string, workspace: string, { context }: Question): Inputs {
  const { workflows } = context.openRuntime(workspace);
  const listed = workflows.library.entries().find(({ name }) => name === target);
  const definition = listed?.load().definition ?? workflows.findTarget(target).definition;
  return definition === undefined ? {} : describeInputs(definition);
}

function valuesOf({ type, enum: choices }: InputInfo): readonly string[] {
  if (choices !== undefined)
    return choices.map((choice) => (typeof choice === "string" ? choice : JSON.stringify(choice)));
  return type === "boolean" ? ["true", "false"] : [];
}
