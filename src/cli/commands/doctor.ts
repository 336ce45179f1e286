import { paint, type Style } from "../../diagnostic/style.ts";
import { type Check, diagnose } from "../../runs/diagnose.ts";
import { type AddCommand, type CliContext, exitCodes, openWorkspace } from "../context.ts";
import { countOf, printJson, refuse } from "../print-diagnostics.ts";
import type { Terminal } from "../terminal.ts";
import { cleanLine } from "../text/visible-text.ts";
import { wrapWords } from "../text/wrap-words.ts";
import { wordAdvice } from "../word-advice.ts";

interface Options {
  readonly workspace: string;
  readonly json?: true;
}

export const addDoctorCommand: AddCommand = (program, context, end) => {
  program
    .command("doctor")
    .description("look whether everything is there that Frond needs, and say what to do about the rest")
    .option("--workspace <dir>", "directory whose .frond/workflows is included", ".")
    .option("--json", "print one JSON document")
    .action(async (options: Options) => end(await examine(options, context)));
};

async function examine(options: Options, context: CliContext): Promise<number> {
  const { terminal, machine } = context;
  const opened = openWorkspace(options.workspace, context);
  if (!opened.ok) return refuse(opened.error, options.json === true, terminal);
  const found = await diagnose(opened.value.runtime, machine);
  const checks = [...found.map(explainCheck), describeTerminal(terminal)];
  const isWell = !checks.some(({ level }) => level === "problem");
  if (options.json) printJson({ status: isWell ? "success" : "failure", checks }, terminal);
  else printChecks(checks, terminal);
  return isWell ? exitCodes.success : exitCodes.failure;
}

type WordedCheck = Omit<Check, "advice">;

function explainCheck({ advice, ...check }: Check): WordedCheck {
  const fix = advice === undefined ? undefined : wordAdvice(advice);
  return fix === undefined ? check : { ...check, fix };
}

function describeTerminal({ isTerminal, isInteractive, columns, rows, colour, unicode }: Terminal): WordedCheck {
  const size = isTerminal ? `${columns} x ${rows}` : "none, so output comes as plain lines";
  const features = [colour ? "colours" : "no colours", unicode ? "Unicode" : "ASCII only"];
  const drawing = isTerminal && !isInteractive ? ["no drawing, because TERM is dumb or CI is set"] : [];
  return { check: "terminal", level: "ok", message: [size, ...features, ...drawing].join(", ") };
}

const styles: Readonly<Record<Check["level"], Style>> = { ok: "green", warning: "yellow", problem: "red" };
const levelWidth = "problem".length;

function printChecks(checks: readonly WordedCheck[], terminal: Terminal): void {
  const width = Math.max(...checks.map(({ check }) => check.length));
  const columns = terminal.isTerminal ? terminal.columns - 1 : Number.POSITIVE_INFINITY;
  const indent = " ".repeat(levelWidth + width + 4);
  for (const { check, level, message, fix } of checks) {
    const mark = paint(level.padEnd(levelWidth), styles[level], terminal.colour);
    const advice = fix === undefined ? "" : `${/[.!?]$/.test(message) ? "" : "."} ${fix}`;
    const lines = wrapWords(cleanLine(`${message}${advice}`), columns - indent.length);
    terminal.write(`${mark}  ${check.padEnd(width)}  ${lines.join(`\n${indent}`)}\n`);
  }
  const problems = checks.filter(({ level }) => level === "problem").length;
  terminal.write(problems === 0 ? "\nEverything that is needed is there.\n" : `\n${countOf(problems, "problem")}.\n`);
}
