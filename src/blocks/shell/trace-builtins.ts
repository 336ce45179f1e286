import { filledBy, readBuiltin } from "./builtin-options.ts";
import { isNumberFormat } from "./numeric-output.ts";
import { literalText, markedText, type ParsedWord } from "./shell-syntax.ts";
import { wordsOf } from "./text-words.ts";
import type { Trace } from "./trace-values.ts";
import { aliasOf, inputOf, outputOf } from "./value-flow.ts";

interface Builtin {
  readonly id: number;
  readonly scope: string;
}

type TraceBuiltin = (trace: Trace, parameters: readonly ParsedWord[], builtin: Builtin) => void;

/** What builtins and programs assign, or print of what is assigned. */
const builtins: ReadonlyMap<string, TraceBuiltin> = new Map<string, TraceBuiltin>([
  ...["declare", "typeset", "local", "export", "readonly"].map((name) => [name, traceDeclaration] as const),
  [
    "read",
    (trace, parameters, command) => traceReading(trace, parameters, { name: "read", unnamed: "REPLY" }, command),
  ],
  [
    "mapfile",
    (trace, parameters, command) => traceReading(trace, parameters, { name: "mapfile", unnamed: "MAPFILE" }, command),
  ],
  [
    "readarray",
    (trace, parameters, command) => traceReading(trace, parameters, { name: "readarray", unnamed: "MAPFILE" }, command),
  ],
  ["getopts", traceOptions],
  ["printf", tracePrintf],
  ["set", traceSet],
  ["env", traceEnvironment],
  ["printenv", traceEnvironment],
  ["envsubst", (trace, _, { id }) => printVariables(trace, [], outputOf(id))],
  ["history", traceHistory],
  ["fc", traceHistory],
  ["alias", traceAlias],
  ["readlink", (trace, _, { id }) => trace.flow.connect("PWD", outputOf(id))],
  ["dirs", (trace, _, { id }) => trace.flow.connect("PWD", outputOf(id))],
  ["/bin/pwd", (trace, _, { id }) => trace.flow.connect("PWD", outputOf(id))],
  ["cd", traceDirectory],
  ["pushd", traceDirectory],
  ["pwd", (trace, _, { id }) => trace.flow.connect("PWD", outputOf(id))],
]);

export function traceBuiltin(trace: Trace, name: string, parameters: readonly ParsedWord[], builtin: Builtin): void {
  builtins.get(name)?.(trace, parameters, builtin);
}

function traceDeclaration(trace: Trace, parameters: readonly ParsedWord[], { id }: Builtin): void {
  const flags = parameters.map((word) => literalText(word) ?? "").filter((text) => /^[-+]/.test(text));
  if (parameters.length === flags.length || flags.some((flag) => /^-[A-Za-z]*p/.test(flag)))
    printVariables(trace, parameters, trace.quotedOutputOf(id));
  const isReference = flags.some((flag) => /^-[A-Za-z]*n/.test(flag));
  for (const word of parameters) {
    trace.traceAssignment(word);
    if (word.assigns === undefined) traceComputedName(trace, word);
    const name = word.assigns?.name ?? /^[A-Za-z_]\w*$/.exec(literalText(word) ?? "")?.[0];
    if (!isReference || name === undefined) continue;
    trace.flow.forEachNameIn(name, (named) => {
      trace.flow.connect(named, name);
      trace.flow.connect(name, named, "part");
    });
  }
}

/** `export "OPT_$key=text"` */
function traceComputedName(trace: Trace, { pieces }: ParsedWord): void {
  const at = pieces.findIndex((piece) => piece.kind === "text" && piece.text.includes("="));
  const sign = pieces[at];
  if (sign?.kind !== "text") return;
  const [head = "", ...rest] = sign.text.split("=");
  const name = [...pieces.slice(0, at), { kind: "text", text: head.replace(/\+$/, "") } as const];
  const value = [{ kind: "text", text: rest.join("=") } as const, ...pieces.slice(at + 1)];
  trace.flow.forEachName(name, (named) => trace.flow.pour(value, named));
}

function traceReading(
  trace: Trace,
  parameters: readonly ParsedWord[],
  { name: builtin, unnamed }: { readonly name: string; readonly unnamed: string },
  command: Builtin,
): void {
  const { id } = command;
  const callback = callbackOf(builtin, parameters, command.id);
  if (callback !== undefined) trace.traceProgram(callback, command);
  const named = filledBy(builtin, parameters);
  for (const word of named) trace.receive(word, (name) => trace.flow.connect(inputOf(id), name, "words"));
  if (named.length > 0) return;
  trace.flow.connect(inputOf(id), unnamed);
  trace.receiveUnnamed(unnamed, id);
}

/** `mapfile -C "f a"` runs `f a`, with an index and a line behind it. */
export function callbackOf(builtin: string, parameters: readonly ParsedWord[], id: number): ParsedWord[] | undefined {
  const word = readBuiltin(builtin, parameters).options.find(({ letter }) => letter === "C")?.argument;
  if (word === undefined) return undefined;
  const [only, ...others] = word.pieces;
  const isText = only?.kind === "text" && others.length === 0;
  const { start, end } = word;
  const read = { kind: "read", holder: inputOf(id), shown: "the line", split: false, list: false, start, end } as const;
  const called = isText ? wordsOf(only.text, word) : [word];
  return [...called, { ...word, pieces: [{ kind: "unknown" }] }, { ...word, pieces: [read] }];
}

/** `getopts n: option`: the arguments come back one by one. */
function traceOptions(trace: Trace, parameters: readonly ParsedWord[], { id, scope }: Builtin): void {
  const { operands } = readBuiltin("getopts", parameters);
  trace.flow.connectRead(`${scope}:@`, "OPTARG");
  for (const word of operands.slice(2)) trace.flow.pour(word.pieces, "OPTARG");
  trace.receiveUnnamed("OPTARG", id);
}

function tracePrintf(trace: Trace, parameters: readonly ParsedWord[]): void {
  const { operands } = readBuiltin("printf", parameters);
  const [format] = operands;
  if (isNumberFormat(format === undefined ? "" : (literalText(format) ?? ""))) return;
  for (const target of filledBy("printf", parameters))
    trace.receive(target, (name) => {
      for (const word of operands) trace.flow.pour(word.pieces, name);
    });
}

function traceSet(trace: Trace, parameters: readonly ParsedWord[], { id, scope }: Builtin): void {
  if (parameters.length === 0) printVariables(trace, [], outputOf(id));
  const { operands } = readBuiltin("set", parameters);
  if (operands.length > 0) trace.tracePositional(scope, operands);
}

/** `printenv NAME`, or all of them. */
function traceEnvironment(trace: Trace, parameters: readonly ParsedWord[], { id }: Builtin): void {
  printVariables(trace, parameters, outputOf(id));
}

function printVariables(trace: Trace, parameters: readonly ParsedWord[], output: string): void {
  const named = parameters.filter((word) => !/^-|=/.test(markedText(word.pieces)));
  for (const word of named) trace.flow.forEachName(word.pieces, (name) => trace.flow.connect(name, output, "part"));
  if (named.length === 0) trace.flow.connect(trace.allVariables(), output, "part");
}

function traceHistory(trace: Trace, parameters: readonly ParsedWord[], { id }: Builtin): void {
  for (const { pieces } of parameters) trace.flow.pour(pieces, "history");
  trace.flow.connect("history", outputOf(id));
}

/** `alias name=text` */
function traceAlias(trace: Trace, parameters: readonly ParsedWord[]): void {
  for (const word of parameters) {
    const [, name = "", text = ""] = /^([\w.-]+)=(.*)$/s.exec(literalText(word) ?? "") ?? [];
    if (name !== "") trace.flow.pour([{ kind: "text", text }], aliasOf(name));
  }
}

function traceDirectory(trace: Trace, parameters: readonly ParsedWord[]): void {
  for (const word of parameters) for (const name of ["PWD", "OLDPWD", "DIRSTACK"]) trace.flow.pour(word.pieces, name);
}
