import { type ExposedWorkflow, findExposed } from "../library/exposed-workflows.ts";
import { inSlices } from "../util/time-slice.ts";
import { usualWaitSeconds } from "./reply.ts";
import type { ServerContext } from "./server-context.ts";
import { startAndAwait } from "./start-and-await.ts";
import type { Hints, Tool } from "./tool.ts";
import { runSchema } from "./tools/parameters.ts";

/** More would drown the others in a model's mind; the rest can be run with execute_workflow. */
const mostTools = 15;
/** Some models take no longer name. */
const longestName = 64;
const longestDescription = 1_000;

export const toolPrefix = "run_";

export interface WorkflowTools {
  /** Sorted by name. */
  readonly tools: readonly Tool[];
  /** Why a workflow that was to be a tool is none, by its name. */
  readonly problems: ReadonlyMap<string, string>;
}

/** The workflows of the server's workspace that are tools of their own, as the files are now. */
export function findWorkflowTools({ openRuntime, settings }: ServerContext): WorkflowTools {
  const tools: Tool[] = [];
  const problems = new Map<string, string>();
  for (const { name, workflow, problem } of findExposed(openRuntime(settings.workspace).workflows, settings.exposed)) {
    const toolName = toToolName(name);
    if (workflow === undefined) problems.set(name, problem ?? "It can't be run.");
    else if (toolName.length > longestName) {
      problems.set(name, `Its name has more than ${longestName - toolPrefix.length} characters.`);
    } else if (tools.length === mostTools) {
      problems.set(name, `There are ${mostTools} already, which is the most. It can be run with execute_workflow.`);
    } else tools.push(toTool(toolName, workflow));
  }
  return { tools: tools.sort((one, other) => (one.name < other.name ? -1 : 1)), problems };
}

/** Names of workflows have hyphens and no underscores, so no two become the same; there are clients that take no hyphen. */
export function toToolName(workflow: string): string {
  return toolPrefix + workflow.replaceAll("-", "_");
}

export function toWorkflowName(tool: string): string {
  return tool.slice(toolPrefix.length).replaceAll("_", "-");
}

function toTool(name: string, { name: workflow, description, inputs, capabilities }: ExposedWorkflow): Tool {
  return {
    name,
    title: `Run ${workflow}`,
    description: describe(description, capabilities),
    toolset: "core",
    effect: "runs",
    repliesWithRun: true,
    hints: hintsFor(capabilities),
    inputSchema: inputs,
    outputSchema: runSchema,
    async call(args, call, context) {
      const { workspace } = context.settings;
      const runtime = context.openRuntime(workspace);
      const checked = await inSlices(runtime.workflows.findInSlices(workflow));
      return startAndAwait({ runtime, checked, inputs: args, workspace }, waiting, call, context);
    },
  };
}

/** As execute_workflow does when nothing else is said. */
const waiting = { waitSeconds: usualWaitSeconds, format: "minimal" } as const;

type Capabilities = ExposedWorkflow["capabilities"];

const touches: Readonly<Record<Capabilities[number], string>> = {
  commands: "runs commands",
  "reads files": "reads files",
  "writes files": "writes files",
  network: "uses the network",
  state: "keeps state in files",
  prompts: "asks questions",
  "takes commands": "runs programs that its inputs name",
  unknown: "calls workflows that are chosen while it runs",
};

function describe(description: string, capabilities: Capabilities): string {
  const text = description.length > longestDescription ? `${description.slice(0, longestDescription)}...` : description;
  const sentence = /[.!?]$/.test(text) ? text : `${text}.`;
  const touched = capabilities.map((capability) => touches[capability]);
  return `${sentence} A workflow${touched.length === 0 ? "" : ` that ${joinWords(touched)}`}; it replies as execute_workflow does.`;
}

function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function hintsFor(capabilities: Capabilities): Hints {
  const can = (...any: Capabilities): boolean => capabilities.some((capability) => any.includes(capability));
  return {
    destructiveHint: can("commands", "writes files", "network", "unknown"),
    openWorldHint: can("commands", "network", "unknown"),
  };
}
