/** A command of a recipe and what the document says it prints. */
export interface Command {
  readonly text: string;
  readonly output: readonly string[];
}

/** A piece of a recipe, by what stands after the three backticks. */
export type Step =
  | { readonly kind: "file"; readonly path: string; readonly text: string }
  | { readonly kind: "commands"; readonly commands: readonly Command[] }
  /** Typed by a person: what is shown, and the keys they press then. */
  | { readonly kind: "terminal"; readonly command: string; readonly asks: string; readonly output: readonly string[] }
  | { readonly kind: "calls"; readonly calls: readonly Call[] };

/** A call of a tool over MCP, and what the reply must have in it. */
export interface Call {
  readonly tool: string;
  readonly args: string;
  readonly reply: string;
}

export interface Recipe {
  readonly title: string;
  readonly steps: readonly Step[];
}

export function readRecipes(document: string): Recipe[] {
  const [, ...sections] = document.split(/^## /m);
  return sections.map((section) => ({
    title: section.slice(0, section.indexOf("\n")),
    steps: [...section.matchAll(/^```(.+)\n([\s\S]*?)^```$/gm)].map(([, kind = "", text = ""]) => readStep(kind, text)),
  }));
}

function readStep(kind: string, text: string): Step {
  const lines = text.trimEnd().split("\n");
  switch (kind) {
    case "yaml": {
      const [, path] = /^# (\S+)\n/.exec(text) ?? [];
      if (path === undefined) throw new Error(`This YAML does not say which file it is:\n${text}`);
      return { kind: "file", path, text };
    }
    case "jsonc": {
      const [, path] = /^\/\/ (\S+)\n/.exec(text) ?? [];
      if (path === undefined) throw new Error(`This JSON does not say which file it is:\n${text}`);
      return { kind: "file", path, text };
    }
    case "console":
      return { kind: "commands", commands: readCommands(lines) };
    case "console in a terminal": {
      const [first = "", asks = "", ...output] = lines;
      return { kind: "terminal", command: first.replace(/^\$ /, ""), asks, output };
    }
    case "js calls":
      return { kind: "calls", calls: readCalls(text) };
    default:
      throw new Error(`Nobody runs a block of kind '${kind}'.`);
  }
}

function readCommands(lines: readonly string[]): Command[] {
  const commands: { text: string; output: string[] }[] = [];
  for (const line of lines) {
    const last = commands.at(-1);
    if (line.startsWith("$ ")) commands.push({ text: line.slice(2), output: [] });
    else if (last === undefined) throw new Error(`This is no command: ${line}`);
    else if (line.startsWith("> ") && last.output.length === 0) last.text += `\n${line.slice(2)}`;
    else last.output.push(line);
  }
  return commands;
}

/** `tool({...})`, then the reply in a comment. */
function readCalls(text: string): Call[] {
  return [...text.matchAll(/^(\w+)\((\{[\s\S]*?\})\)\n((?:\/\/ .*\n?)+)/gm)].map(
    ([, tool = "", args = "", reply = ""]) => ({
      tool,
      args,
      reply: reply.replaceAll(/^\/\/ /gm, ""),
    }),
  );
}

/** What differs from run to run is made equal, so that a document can show what was really printed once. */
export function normalise(line: string): string {
  return line
    .replaceAll(/\b(run|pause)_[0-9a-z]+(_[0-9a-f]+)?/g, "$1_ID")
    .replaceAll(/\b\d+(ms|\.\ds)(?!\w)/g, "TIME")
    .replaceAll(/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\b/g, "DATE")
    .replaceAll(/\b[0-9a-f]{7,40}\b/g, "HASH")
    .trimEnd();
}

/** Whether lines are as they should be, where `...` stands for any number of them. */
export function matches(expected: readonly string[], found: readonly string[]): boolean {
  const [first, ...rest] = expected;
  if (first === undefined) return found.length === 0;
  if (first === "...") return found.some((_, index) => matches(rest, found.slice(index))) || matches(rest, []);
  return found[0] === first && matches(rest, found.slice(1));
}
