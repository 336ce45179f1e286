/** What a call of a tool has come to, for a view of its run. */
export type CallNews =
  | { readonly kind: "run"; readonly runId: string }
  /** There is no run to show. */
  | { readonly kind: "none"; readonly says: string };

/** These go on with the run that they name, by its id or that of a question, so it can be shown before they reply. */
const namedBy: Readonly<Record<string, string>> = { get_run: "run_id", resume_workflow: "checkpoint_id" };

export function runOfInput(tool: string | undefined, params: unknown): CallNews | undefined {
  const runId = textIn(fieldOf(params, "arguments"), namedBy[tool ?? ""] ?? "");
  return runId === undefined ? undefined : { kind: "run", runId };
}

export function runOfResult(params: unknown): CallNews {
  const data = fieldOf(params, "structuredContent") ?? parseText(params);
  const runId = textIn(data, "run_id");
  if (runId !== undefined) return { kind: "run", runId };
  const errors = fieldOf(data, "errors");
  const messages = Array.isArray(errors) ? errors.flatMap((error: unknown) => textIn(error, "message") ?? []) : [];
  return { kind: "none", says: messages.join("\n") };
}

/** There are hosts that pass on nothing but the text, which is the same data. */
function parseText(params: unknown): unknown {
  const content = fieldOf(params, "content");
  try {
    return JSON.parse(textIn(Array.isArray(content) ? content[0] : undefined, "text") ?? "");
  } catch {
    return undefined;
  }
}

function fieldOf(data: unknown, name: string): unknown {
  return typeof data === "object" && data !== null ? (data as Readonly<Record<string, unknown>>)[name] : undefined;
}

function textIn(data: unknown, name: string): string | undefined {
  const value = fieldOf(data, name);
  return typeof value === "string" && value !== "" ? value : undefined;
}
