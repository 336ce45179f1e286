import { paint } from "../diagnostic/style.ts";
import { secretsOf } from "../service/needed-secrets.ts";
import { allDiagnostics, describeValidation, isValid } from "../service/validate-workflow.ts";
import type { CheckedWorkflow } from "../service/workflows.ts";
import { type AddCommand, exitCodes, openWorkspace } from "./context.ts";
import { countOf, printDiagnostics, printJson, refuse } from "./print-diagnostics.ts";

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
    .argument("<file...>", "workflow files or names")
    .option("--strict", "treat warnings as errors")
    .option("--workspace <dir>", "directory whose .frond/workflows may be called", ".")
    .option("--json", "print one JSON document")
    .action(async (targets: string[], options: Options) => {
      const opened = openWorkspace(options.workspace, context);
      if (!opened.ok) return end(refuse(opened.error, options.json === true, terminal));
      const { engine } = opened.value;
      const { workflows } = engine;
      const callable = (name: string) => workflows.callable(name);
      const results = [];
      for (const target of targets) {
        const checked = workflows.findTarget(target);
        const diagnostics = await allDiagnostics(checked, engine);
        results.push({ target, checked, diagnostics, valid: isValid(diagnostics, options.strict === true) });
      }
      if (options.json) {
        const files = results.map(({ target, checked, diagnostics }) => ({
          file: target,
          ...describeValidation(checked, diagnostics, workflows, options.strict === true),
        }));
        printJson({ valid: results.every(({ valid }) => valid), files }, terminal);
      } else {
        for (const { target, checked, diagnostics, valid } of results) {
          printDiagnostics(diagnostics, terminal);
          const mark = valid ? paint("ok", "green", terminal.colour) : paint("invalid", "red", terminal.colour);
          const what =
            checked.plan === undefined
              ? ""
              : ` (${countOf(checked.plan.blocks.length, "block")}, ${countOf(checked.plan.waves.length, "wave")})`;
          const secrets = checked.plan === undefined ? [] : secretsOf(checked.plan.definition, callable);
          const needs = secrets.length === 0 ? "" : `; secrets: ${secrets.join(", ")}`;
          terminal.write(`${mark} ${target}${what}${summary(diagnostics)}${needs}\n`);
        }
      }
      end(results.every(({ valid }) => valid) ? exitCodes.success : exitCodes.invalid);
    });
};

function summary(diagnostics: CheckedWorkflow["diagnostics"]): string {
  const counts = (["error", "warning", "hint"] as const)
    .map((level) => [level, diagnostics.filter((diagnostic) => diagnostic.level === level).length] as const)
    .filter(([, count]) => count > 0)
    .map(([level, count]) => countOf(count, level));
  return counts.length === 0 ? "" : `: ${counts.join(", ")}`;
}
