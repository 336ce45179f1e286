import { chooseTools, mayRun } from "./choose-tools.ts";
import type { ServerContext } from "./server-context.ts";
import type { Tool } from "./tool.ts";
import { builtInTools } from "./tools/index.ts";
import { findWorkflowTools, toolPrefix, toWorkflowName, type WorkflowTools } from "./workflow-tools.ts";

/** The tools that clients have, which change with the workflow files. */
export interface ToolSource {
  /** Sorted by name. */
  list(): readonly Tool[];
  find(name: string): Tool | undefined;
  onChanged(listener: () => void): () => void;
  close(): void;
}

/** A client says hello before this and is not kept waiting; one that never asks for tools still hears of new ones. */
const startWatchingMs = 1_000;

/**
 * Files are read anew for every list, so that it is never older than they are; watching them only serves to tell clients when to
 * ask again. No workflow directory is read before a client asks for something or the server has been there for a moment.
 * `hasTools`: the client was told of the fixed tools, before anybody looked for others.
 */
export function createToolSource(context: ServerContext, hasTools = false): ToolSource {
  const fixed = chooseTools(builtInTools, context.settings);
  const listeners = new Set<() => void>();
  const problems = new ProblemLog(context);
  /** Every one that a client may know, also of workflows that are broken now. */
  const offered = new Map<string, Tool>();
  /** What clients have been told of workflows, by a list or by a notice. Those that have only the fixed tools were told of none. */
  let announced: string | undefined = hasTools ? fingerprint([]) : undefined;
  let stopWatching: (() => void) | undefined;

  const read = (): readonly Tool[] => {
    const found = findWorkflowTools(context);
    problems.tell(found);
    const tools = chooseTools(found.tools, context.settings);
    for (const tool of tools) offered.set(tool.name, tool);
    return tools;
  };
  const refresh = (): void => {
    const now = fingerprint(read());
    if (now === announced) return;
    announced = now;
    for (const listener of listeners) listener();
  };
  /** Not for the first list, which would wait for it: what changes between that and this is found here. */
  const begin = (): void => {
    const { library } = context.openRuntime(context.settings.workspace).workflows;
    const trusted = (): string => JSON.stringify(context.platform.trust.find(context.settings.workspace) ?? null);
    stopWatching = context.watch(library.places(), refresh, trusted);
    if (announced === undefined) announced = fingerprint(read());
    else refresh();
  };
  const hasWorkflows = mayRun(context.settings);
  const timer = hasWorkflows ? setTimeout(begin, startWatchingMs).unref() : undefined;

  return {
    list() {
      if (!hasWorkflows) return fixed;
      const own = read();
      announced ??= fingerprint(own);
      return [...fixed, ...own].sort((one, other) => (one.name < other.name ? -1 : 1));
    },
    find(name) {
      const known = fixed.find((tool) => tool.name === name);
      if (known !== undefined || !hasWorkflows || !name.startsWith(toolPrefix)) return known;
      const found = read().find((tool) => tool.name === name);
      if (found !== undefined) return found;
      // Whoever calls what was a tool a moment ago is told what is wrong with the workflow now.
      const { workflows } = context.openRuntime(context.settings.workspace);
      return workflows.findByName(toWorkflowName(name)).plan === undefined ? offered.get(name) : undefined;
    },
    onChanged(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      clearTimeout(timer);
      stopWatching?.();
    },
  };
}

function fingerprint(tools: readonly Tool[]): string {
  return JSON.stringify(tools.map(({ call: _, ...shown }) => shown));
}

/** Says once why a workflow that was to be a tool is none, and once when it has become one. */
class ProblemLog {
  readonly #context: ServerContext;
  #told: ReadonlyMap<string, string> = new Map();

  constructor(context: ServerContext) {
    this.#context = context;
  }

  tell({ problems, tools }: WorkflowTools): void {
    const { log } = this.#context;
    for (const [workflow, problem] of problems) {
      if (this.#told.get(workflow) !== problem) log("warn", `'${workflow}' is no tool: ${problem}`, { workflow });
    }
    for (const workflow of this.#told.keys()) {
      const tool = tools.find(({ name }) => toWorkflowName(name) === workflow)?.name;
      if (tool !== undefined) log("info", `'${workflow}' is the tool ${tool} now.`, { workflow });
    }
    this.#told = problems;
  }
}
