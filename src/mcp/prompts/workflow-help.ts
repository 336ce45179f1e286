import type { Value } from "../../expression/value.ts";
import { describeWorkflow, type InputInfo, type WorkflowInfo } from "../../library/describe-workflow.ts";
import { err, ok } from "../../util/result.ts";
import { completeWorkflow } from "../complete.ts";
import type { Prompt } from "../prompt.ts";
import { explainForModel } from "../word-advice.ts";

export const workflowHelp: Prompt = {
  name: "workflow_help",
  title: "How to run a workflow",
  description: "What a workflow takes, gives and touches, and the call that runs it.",
  arguments: [{ name: "workflow_name", description: "Name of the workflow", complete: completeWorkflow }],
  write({ workflow_name: name = "" }, { openRuntime, settings }) {
    const { workflows } = openRuntime(settings.workspace);
    const { plan, diagnostics } = workflows.findByName(name);
    if (plan !== undefined) return ok(explain(describeWorkflow(plan, (child) => workflows.callable(child))));
    const [problem] = diagnostics.map(explainForModel);
    return err([problem?.message, problem?.fix].filter((part) => part !== undefined).join(" "));
  },
};

function explain(info: WorkflowInfo): string {
  const { name, description, inputs, outputs, blocks, capabilities, secrets = [] } = info;
  return [
    `# The workflow ${name}`,
    description.trim(),
    "## Inputs",
    list(Object.entries(inputs).map(([input, about]) => `\`${input}\` (${describeInput(about)})${suffix(about)}`)) ||
      "It takes none.",
    "## Call",
    `Ask the person for what is required and not known, then call execute_workflow with:\n\n\`\`\`json\n${JSON.stringify(exampleCall(name, inputs), null, 2)}\n\`\`\``,
    "## What it gives",
    list(Object.entries(outputs).map(([output, about]) => `\`${output}\`${suffix(about)}`)) || "It has no outputs.",
    "## What it does and touches",
    list(blocks.map(({ id, type, description: about }) => `\`${id}\` (${type})${suffix({ description: about })}`)),
    `It can touch: ${capabilities.length === 0 ? "nothing outside of it" : capabilities.join(", ")}.`,
    ...(secrets.length === 0 ? [] : [`It needs the secrets ${secrets.join(", ")}, which only a person can set.`]),
    ...(capabilities.includes("prompts")
      ? ["It asks something on its way: answer with the call that its reply names."]
      : []),
    "The reply has `status`, `outputs` and, when it failed, `failed_blocks`; its `message` says what to call next. Tell the person what came of it.",
  ].join("\n\n");
}

function exampleCall(workflow: string, inputs: WorkflowInfo["inputs"]): object {
  const required = Object.entries(inputs).filter(([, { required: isRequired }]) => isRequired);
  return { workflow, inputs: Object.fromEntries(required.map(([name, about]) => [name, exampleValue(about)])) };
}

const placeholders: Readonly<Record<string, Value>> = { integer: 1, number: 1.5, boolean: true, array: [], object: {} };

function exampleValue({ type, enum: choices }: InputInfo): Value {
  return choices?.[0] ?? placeholders[type] ?? "...";
}

function describeInput({ type, required, default: fallback, enum: choices }: InputInfo): string {
  return [
    type,
    ...(choices === undefined ? [] : [`one of ${choices.map((choice) => JSON.stringify(choice)).join(", ")}`]),
    ...(fallback === undefined ? [] : [`default ${JSON.stringify(fallback)}`]),
    ...(required ? ["required"] : []),
  ].join(", ");
}

function suffix({ description }: { readonly description?: string | undefined }): string {
  return description === undefined ? "" : `: ${description.trim()}`;
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}
