import { isNumberFormat } from "./numeric-output.ts";
import { literalText, markedText, type ParsedWord } from "./shell-syntax.ts";
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
  ["read", (trace, parameters, { id }) => traceReading(trace, parameters, "REPLY", id)],
  ["mapfile", (trace, parameters, { id }) => traceReading(trace, parameters, "MAPFILE", id)],
  ["readarray", (trace, parameters, { id }) => traceReading(trace, parameters, "MAPFILE", id)],
  ["getopts", (trace, _, { scope }) => trace.flow.connectRead(`${scope}:@`, "OPTARG")],
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
    const name = word.assigns?.name ?? /^[A-Za-z_]\w*$/.exec(literalText(word) ?? "")?.[0];
    if (!isReference || name === undefined) continue;
    trace.flow.forEachNameIn(name, (named) => {
      trace.flow.connect(named, name);
      trace.flow.connect(name, named, false);
    });
  }
}

function traceReading(trace: Trace, parameters: readonly ParsedWord[], unnamed: string, id: number): void {
  const named = parameters.filter((word) => !(literalText(word) ?? "").startsWith("-"));
  for (const [index, word] of parameters.entries()) {
    // `mapfile -C function` calls it with each line.
    const called = literalText(parameters[index - 1]) === "-C" ? literalText(word) : undefined;
    if (called !== undefined) trace.flow.connect(inputOf(id), `${called}:any`);
  }
  for (const word of named) trace.receive(word, (name) => trace.flow.connect(inputOf(id), name));
  if (named.length === 0) trace.flow.connect(inputOf(id), unnamed);
}

function tracePrintf(trace: Trace, parameters: readonly ParsedWord[]): void {
  const [option, target, format] = parameters;
  if (option === undefined || literalText(option) !== "-v" || target === undefined) return;
  if (isNumberFormat(format === undefined ? "" : (literalText(format) ?? ""))) return;
  trace.receive(target, (name) => {
    for (const word of parameters.slice(2)) trace.flow.pour(word.pieces, name);
  });
}

function traceSet(trace: Trace, parameters: readonly ParsedWord[], { id, scope }: Builtin): void {
  if (parameters.length === 0) printVariables(trace, [], outputOf(id));
  const operands = parameters.findIndex(
    (word) => !/^[-+]./.test(literalText(word) ?? "") || literalText(word) === "--",
  );
  const ended = literalText(parameters[operands]) === "--" ? 1 : 0;
  if (operands !== -1) trace.tracePositional(scope, parameters.slice(operands + ended));
}

/** `printenv NAME`, or all of them. */
function traceEnvironment(trace: Trace, parameters: readonly ParsedWord[], { id }: Builtin): void {
  printVariables(trace, parameters, outputOf(id));
}

function printVariables(trace: Trace, parameters: readonly ParsedWord[], output: string): void {
  const named = parameters.filter((word) => !/^-|=/.test(markedText(word.pieces)));
  for (const word of named) trace.flow.forEachName(word.pieces, (name) => trace.flow.connect(name, output, false));
  if (named.length === 0) trace.flow.connect(trace.allVariables(), output, false);
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
