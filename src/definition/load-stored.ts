import type { Catalog } from "../block/catalog.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import type { Source } from "../diagnostic/source.ts";
import { err, ok, type Result } from "../util/result.ts";
import { readWorkflow } from "./load-workflow.ts";
import { readYaml } from "./read-yaml.ts";
import type { WorkflowDefinition } from "./workflow-definition.ts";

/**
 * Errors after which the definition says less than the text: something was left out of it. Every other error is a check, and a text
 * that ran once is not checked again: else each new check would make stored runs unreadable.
 */
export const losses: ReadonlySet<string> = new Set([
  ...["unknown-key", "unknown-block-type", "unknown-input", "dropped-input", "unknown-value"],
  ...["wrong-type", "unknown-type", "bad-timeout", "duplicate-block", "no-blocks"],
  ...["no-sandbox", "no-effects", "bad-pattern"],
  ...["no-file-outputs", "expression-not-allowed", "reference-not-allowed"],
  // Of expressions, which are left out where they can't be parsed.
  ...["filter", "hyphen-in-name", "invalid-number", "invalid-step", "method-call", "missing-brace", "refused-name"],
  ...["unexpected-end", "unexpected-symbol", "unknown-function", "unknown-operator", "unknown-root"],
  ...["unknown-var", "var-cycle", "dynamic-var", "nothing-inside"],
  ...["unterminated-string", "wrong-argument-count", "expression-too-deep", "expression-too-long"],
]);

/** Reads a text that a run has stored, without the checks; else says what in it this program does not know. */
export function loadStored(source: Source, catalog: Catalog): Result<WorkflowDefinition, string> {
  const yaml = readYaml(source);
  if (!yaml.ok) return err(yaml.error[0]?.message ?? "It is not YAML.");
  let lost: Diagnostic | undefined;
  const report: Report = (diagnostic) => {
    if (diagnostic.level === "error" && losses.has(diagnostic.code)) lost ??= diagnostic;
  };
  const definition = readWorkflow(yaml.value, source, catalog, Object.assign(report, { isStored: true } as const));
  if (lost !== undefined) return err(lost.message);
  return definition === undefined ? err("It is not a workflow.") : ok(definition);
}
