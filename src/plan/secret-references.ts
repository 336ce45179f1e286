import type { ValueTemplate } from "../definition/value-template.ts";
import type { BlockDefinition, WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { Expression } from "../expression/ast.ts";
import { isWholeExpression } from "../expression/parse-template.ts";
import { type Reference, staticPath } from "../expression/references.ts";
import { blockExpressions, referencesOf } from "./collect-references.ts";

/** How a secret is written, and what stands for it wherever something is recorded or shown. */
export function writeSecret(name: string): string {
  return `\${secrets.${name}}`;
}

/** The name in what `writeSecret` writes. */
export function readSecret(reference: string): string | undefined {
  return /^\$\{secrets\.(\w+)\}$/.exec(reference)?.[1];
}

/** A reference to a secret, or to an input that holds one. */
export function isSecret({ root, keys }: Reference, { inputs }: WorkflowDefinition): boolean {
  const [name] = keys;
  return root === "secrets" || (root === "inputs" && name !== undefined && inputs.get(String(name))?.secret === true);
}

/** An expression that is such a reference and nothing else. */
export function isSecretAlone(expression: Expression, definition: WorkflowDefinition): boolean {
  if (expression.kind !== "path") return false;
  const reference = staticPath(expression);
  return reference.steps.length === 1 && isSecret(reference, definition);
}

/** A value that is a secret as a whole, without any text around it. */
export function isWholeSecret(value: ValueTemplate, definition: WorkflowDefinition): boolean {
  if (value.kind !== "text" || !isWholeExpression(value.template)) return false;
  const [only] = value.template.parts;
  return typeof only === "object" && isSecretAlone(only.expression, definition);
}

export function readsSecrets(block: BlockDefinition, definition: WorkflowDefinition): boolean {
  for (const { reference } of referencesOf(blockExpressions(block))) if (isSecret(reference, definition)) return true;
  return false;
}

/** Names of the secrets that a block itself speaks of. */
export function secretsNamedIn(block: BlockDefinition): string[] {
  return [...referencesOf(blockExpressions(block))].flatMap(({ reference: { root, keys } }) =>
    root === "secrets" ? [String(keys[0])] : [],
  );
}
