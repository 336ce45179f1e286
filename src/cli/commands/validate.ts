import type { Diagnostic } from "../../diagnostic/diagnostic.ts";
import { paint } from "../../diagnostic/style.ts";
import { wordBudgets } from "../../library/describe-budgets.ts";
import { speaksOfUndo, type UndoSummary, wordUndo } from "../../library/describe-undo.ts";
import { secretsOf } from "../../library/needed-secrets.ts";
import {
  allDiagnostics,
  describeParts,
  describeValidation,
  isValid,
  type Validation,
} from "../../library/validate-workflow.ts";
import type { Runtime } from "../../runs/runtime.ts";
import { isTestFile, openTests } from "../../testing/find-tests.ts";
import type { TestBench } from "../../testing/test-bench.ts";
import { once } from "../../util/once.ts";
import { type AddCommand, exitCodes, openWorkspace } from "../context.ts";
import { countOf, explainForTerminal, printDiagnostics, printJson, refuse } from "../print-diagnostics.ts";
import { lineWidth } from "../text/lay-out-table.ts";
import { cleanLine } from "../text/visible-text.ts";
import { wrapSegments } from "../text/wrap-segments.ts";

interface Options {
  readonly json?: true;
  readonly strict?: true;
  readonly workspace: string;
}

export const addValidateCommand: AddCommand = (program, context, end) => {
  const { terminal } = context;
  program
    .command("validate")
    .description("check workflow files and show every problem at once")
    .argument("<file...>", "workflow files or names, test files, or directories with such files")
    .option("--strict", "treat warnings as errors")
    .option("--workspace <dir>", "directory whose .frond/workflows may be called", ".")
    .option("--json", "print one JSON document")
    .action(async (targets: string[], options: Options) => {
      const opened = openWorkspace(options.workspace, context);
      if (!opened.ok) return end(refuse(opened.error, options.json === true, terminal));
      const { runtime, workspace } = opened.value;
      const strict = options.strict === true;
      const openBench = once(() => context.openTestBench(workspace));
      const results: Result[] = [];
      for (const target of targets) {
        const files = isDirectory(target, runtime) ? listInside(target, openBench(), runtime) : [target];
        if (files.length === 0) return end(refuse([nothingIn(target)], options.json === true, terminal));
        for (const file of files) {
          results.push(isTestFile(file) ? checkTests(file, openBench()) : await checkWorkflow(file, runtime, strict));
        }
      }
      if (options.json) {
        const files = results.map(({ target, data }) => ({ file: target, ...data }));
        printJson({ valid: results.every(({ valid }) => valid), files }, terminal);
      } else {
        for (const { target, diagnostics, valid, what, advice } of results) {
          printDiagnostics(diagnostics, terminal);
          const mark = valid ? paint("ok", "green", terminal.colour) : paint("invalid", "red", terminal.colour);
          terminal.write(`${mark} ${cleanLine(target)}${what}\n`);
          for (const line of advice) {
            const lines = wrapSegments([[cleanLine(line)]], lineWidth(terminal), terminal.colour, adviceIndents);
            terminal.write(lines.map((part) => `${part}\n`).join(""));
          }
        }
      }
      end(results.every(({ valid }) => valid) ? exitCodes.success : exitCodes.invalid);
    });
};

/** A workflow that has the name of a directory is meant before it. */
function isDirectory(target: string, { platform, workflows }: Runtime): boolean {
  return platform.realDirectory(target).ok && workflows.library.find(target) === undefined;
}

/** The workflows and tests below a directory. Other programs keep YAML files there, too. */
function listInside(directory: string, bench: TestBench, { platform }: Runtime): readonly string[] {
  return (bench.listYamlFiles(directory) ?? []).filter((file) => {
    const read = platform.readWorkflowText(file);
    return isTestFile(file) || ("text" in read && /^(?:|\s*"|\{.*?)blocks["']?\s*:/m.test(read.text));
  });
}

function nothingIn(directory: string): Diagnostic {
  const message = `There are no workflow files in '${directory}'.`;
  const fix = "A workflow file is a .yaml file with `blocks:`; `frond list` shows the workflows that have names.";
  return { code: "no-workflows", level: "error", message, fix };
}

interface Result {
  readonly target: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly valid: boolean;
  /** What it is made of, in a few words. */
  readonly what: string;
  /** What can be done about what can't be undone, where somebody wants to undo. */
  readonly advice: readonly string[];
  readonly data: Validation;
}

async function checkWorkflow(target: string, runtime: Runtime, strict: boolean): Promise<Result> {
  const { workflows } = runtime;
  const checked = workflows.findTarget(target);
  const asked = allDiagnostics(checked, runtime.platform);
  const parts = describeParts(checked, workflows);
  const diagnostics = await asked;
  const { plan } = checked;
  const size =
    plan === undefined ? "" : ` (${countOf(plan.blocks.length, "block")}, ${countOf(plan.waves.length, "wave")})`;
  const secrets = plan === undefined ? [] : secretsOf(plan.definition, (name) => workflows.callable(name));
  const needs = secrets.length === 0 ? "" : `; secrets: ${secrets.join(", ")}`;
  const data = describeValidation(parts, diagnostics.map(explainForTerminal), strict);
  const undo = data.undo === undefined ? "" : `; undo: ${wordUndo(data.undo)}`;
  const budget = data.budget === undefined ? "" : `; budget: ${wordBudgets(data.budget)}`;
  return {
    target,
    diagnostics,
    valid: isValid(diagnostics, strict),
    what: `${size}${summary(diagnostics)}${undo}${budget}${needs}`,
    advice: plan !== undefined && speaksOfUndo(plan.definition) ? adviseUndo(data.undo, diagnostics) : [],
    data,
  };
}

/** A pattern that means workflows often means their tests as well. */
function checkTests(target: string, bench: TestBench): Result {
  const tests = openTests(target, bench, true);
  const diagnostics = tests.ok ? [] : tests.error;
  return {
    target,
    diagnostics,
    valid: tests.ok,
    advice: [],
    what: tests.ok ? ` (${countOf(tests.value.cases.length, "case")})` : summary(diagnostics),
    data: describeValidation({}, diagnostics.map(explainForTerminal), true),
  };
}

const adviceIndents = { first: "   ", following: "     " };

/** Of what is not named in a warning already. */
function adviseUndo(undo: UndoSummary | undefined, diagnostics: readonly Diagnostic[]): string[] {
  const warned = new Set(diagnostics.flatMap(({ code, block }) => (code === "irreversible" ? [block] : [])));
  return (undo?.irreversible ?? []).flatMap(({ blocks, more, why, fix }) => {
    const left = blocks.filter((address) => !address.split("/").some((id) => warned.has(id)));
    if (left.length === 0) return [];
    return [`${left.join(", ")}${more === undefined ? "" : ` and ${more} more`}: ${why}. ${fix}`];
  });
}

function summary(diagnostics: readonly Diagnostic[]): string {
  const counts = (["error", "warning", "hint"] as const)
    .map((level) => [level, diagnostics.filter((diagnostic) => diagnostic.level === level).length] as const)
    .filter(([, count]) => count > 0)
    .map(([level, count]) => countOf(count, level));
  return counts.length === 0 ? "" : `: ${counts.join(", ")}`;
}
