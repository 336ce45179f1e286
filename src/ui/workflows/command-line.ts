/** What a form is about to start. */
export interface Start {
  /** A name, or the path of a file. */
  readonly workflow: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly budget?: number;
}

/** The same run as it is typed at a prompt. */
export function commandLine({ workflow, inputs, budget }: Start): string {
  const words = [
    ["frond", "run", quote(workflow.startsWith("-") ? `./${workflow}` : workflow)],
    ...Object.entries(inputs).map(([name, value]) => ["-i", quote(`${name}=${writtenValue(value)}`)]),
    ...(budget === undefined ? [] : [["--max-cost", String(budget)]]),
  ];
  const parts = words.map((part) => part.join(" "));
  const line = parts.join(" ");
  return line.length <= longestLine ? line : parts.join(" \\\n  ");
}

const longestLine = 56;

/** As `--input` reads it by the type that the workflow declares: a text as it is, anything else as JSON. */
function writtenValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** One word of a POSIX shell, whatever is in it. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The same as an agent calls it. */
export function toolCall(
  tool: { readonly name: string; readonly takes_inputs: boolean },
  { workflow, inputs }: Pick<Start, "workflow" | "inputs">,
): string {
  const args = tool.takes_inputs ? inputs : { workflow, ...(Object.keys(inputs).length === 0 ? {} : { inputs }) };
  return `${tool.name}(${JSON.stringify(args, null, Object.keys(args).length > 1 ? indent : 0)})`;
}

const indent = 2;
