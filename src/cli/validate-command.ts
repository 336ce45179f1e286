import { hasErrors } from "../diagnostic/diagnostic.ts";
import { paint } from "../diagnostic/style.ts";
import { capabilitiesOf } from "../service/capabilities.ts";
import { secretsOf } from "../service/needed-secrets.ts";
import { verifyBlocks } from "../service/verify-blocks.ts";
import type { CheckedWorkflow, Workflows } from "../service/workflows.ts";
import { type AddCommand, exitCodes, openWorkspace } from "./context.ts";
import { countOf, dataOfLevel, printDiagnostics, printJson, refuse } from "./print-diagnostics.ts";

interface Options {
  readonly json?: true;
  readonly strict?: true;
  readonly workspace: string;
}

export const addValidateCommand: AddCommand = (program, context, end) => {
  const { terminal, outside } = context;
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
      const { workflows } = opened.value.engine;
      const callable = (name: string) => workflows.callable(name);
      const results = [];
      for (const target of targets) {
        const checked = workflows.findTarget(target);
        const diagnostics = [...checked.diagnostics, ...(await verifyBlocks(checked.definition, outside.ports))];
        results.push({ target, checked, diagnostics, valid: isValid(diagnostics, options.strict === true) });
      }
      if (options.json) {
        const files = results.map(({ target, checked, diagnostics, valid }) => ({
          file: target,
          valid,
          ...describe(checked, workflows),
          errors: dataOfLevel(diagnostics, "error"),
          warnings: dataOfLevel(diagnostics, "warning"),
          hints: dataOfLevel(diagnostics, "hint"),
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

function isValid(diagnostics: CheckedWorkflow["diagnostics"], strict: boolean): boolean {
  return !hasErrors(diagnostics) && !(strict && diagnostics.some(({ level }) => level === "warning"));
}

function describe({ definition, plan }: CheckedWorkflow, workflows: Workflows): object {
  if (definition === undefined) return {};
  const secrets = secretsOf(definition, (name) => workflows.callable(name));
  return {
    workflow: definition.name,
    block_types_used: [...new Set(definition.blocks.map((block) => block.type.type))].sort(),
    capabilities: capabilitiesOf(definition, (name) => workflows.callable(name)),
    ...(secrets.length === 0 ? {} : { secrets }),
    ...(plan === undefined ? {} : { execution_waves: plan.waves }),
  };
}

function summary(diagnostics: CheckedWorkflow["diagnostics"]): string {
  const counts = (["error", "warning", "hint"] as const)
    .map((level) => [level, diagnostics.filter((diagnostic) => diagnostic.level === level).length] as const)
    .filter(([, count]) => count > 0)
    .map(([level, count]) => countOf(count, level));
  return counts.length === 0 ? "" : `: ${counts.join(", ")}`;
}
