import { Argument, type Command, Option } from "commander";

/**
 * What the values of arguments and options are. Everything else about completion follows from the commands themselves; a value with
 * choices needs no entry either.
 */
export type Completer =
  /** Nothing can be suggested: a number, a text, something of another machine. */
  | "none"
  | "files"
  | "directories"
  | "workflow-files"
  /** By name, or a file. */
  | "workflows"
  | "workflow-names"
  | "workflow-names-with-commas"
  | "test-files"
  | "runs"
  /** Those that have not ended. */
  | "open-runs"
  /** Those that wait for a person, and what they ask. */
  | "waiting-runs"
  | "blocks"
  | "inputs"
  | "checkpoints"
  | "tags"
  | "clients"
  | "block-types"
  | "statuses"
  | "toolsets-with-commas";

/** By what stands between the angle brackets. */
const byPlaceholder: Readonly<Record<string, Completer>> = {
  run: "runs",
  "run|checkpoint": "waiting-runs",
  checkpoint: "checkpoints",
  block: "blocks",
  workflow: "workflows",
  "name=value": "inputs",
  file: "files",
  dir: "directories",
  client: "clients",
  tag: "tags",
  status: "statuses",
  type: "block-types",
  n: "none",
  lines: "none",
  characters: "none",
  text: "none",
  key: "none",
  age: "none",
  time: "none",
  who: "none",
  cron: "none",
  size: "none",
  digest: "none",
  port: "none",
  address: "none",
  limits: "none",
  usd: "none",
};

/** Where that says too little: by command, and the argument or the option. */
const byPlace: Readonly<Record<string, Completer>> = {
  "cancel run": "open-runs",
  "checkpoints --workflow": "workflow-names",
  "graph file": "workflows",
  "info name": "workflows",
  "mcp-config args": "none",
  "plan plan": "files",
  "runs --workflow": "workflow-names",
  "save file": "workflow-files",
  "rerun --file": "workflow-files",
  "serve --toolsets": "toolsets-with-commas",
  "serve --allow": "workflow-names-with-commas",
  "serve --expose": "workflow-names-with-commas",
  "serve --allow-host": "none",
  "show --field": "none",
  "test path": "test-files",
  "ui --allow-host": "none",
  "validate file": "workflows",
  "worker --allow-host": "none",
  "worker --labels": "none",
};

/** What a value is; nothing when nobody has said it, which a test finds. */
export function completerOf(command: Command, of: Argument | Option): Completer | "choices" | undefined {
  if (of.argChoices !== undefined) return "choices";
  const place = of instanceof Option ? (of.long ?? of.short ?? "") : of.name();
  return byPlace[`${command.name()} ${place}`] ?? byPlaceholder[placeholderOf(of)];
}

function placeholderOf(of: Argument | Option): string {
  if (of instanceof Argument) return of.name();
  return /[<[]([^>\]]+?)(?:\.\.\.)?[>\]]/.exec(of.flags)?.[1] ?? "";
}
