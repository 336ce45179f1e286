import type { Expression, Step, Template } from "../expression/ast.ts";
import type { Value } from "../expression/value.ts";
import type { ValueTemplate } from "./value-template.ts";
import type { BlockDefinition, PlacedExpression } from "./workflow-definition.ts";

const fingerprints = new WeakMap<BlockDefinition, string>();

/**
 * A text that two blocks share when they say the same, however that is written: where it stands in its file, quotes, comments, its
 * description and the names of vars make no difference. What a loop runs over is not in it: each pass is compared by its element. Nor is what
 * a failure leads to, or how it would be undone: a result is as good with another word about that.
 */
export function blockFingerprint(block: BlockDefinition): string {
  const known = fingerprints.get(block);
  if (known !== undefined) return known;
  const { retry, expect, timeout } = block;
  const fingerprint = JSON.stringify([
    block.type.type,
    [...block.inputs.values()].map(({ name, value }) => [name, templateForm(value)]).sort(byFirst),
    block.dependsOn.map(({ block: on, required }) => [on, required]).sort(byFirst),
    placedForm(block.condition),
    [block.forEach !== undefined, block.repeat !== undefined],
    timeout && [templateForm(timeout.value), timeout.unit],
    retry && [retry.attempts, retry.delay, retry.maxDelay].map((part) => part && templateForm(part)),
    retry && [retry.backoff, retry.jitter, retry.on, retry.restore],
    expect && [expect.exitCodes, expect.fileExists && templateForm(expect.fileExists), placedForm(expect.condition)],
    block.undoes && JSON.stringify(block.undoes),
    [block.allowFailure, block.reuse, block.onInterrupted, block.sandbox, block.isFinally],
    block.fileOutputs.map(({ name, type, path, required, unsafe }) => [
      name,
      type,
      templateForm(path),
      required,
      unsafe,
    ]),
  ]);
  fingerprints.set(block, fingerprint);
  return fingerprint;
}

function byFirst([one]: readonly unknown[], [other]: readonly unknown[]): number {
  return String(one) < String(other) ? -1 : 1;
}

/** JSON that tells any two forms apart. */
type Form = Value | undefined | readonly Form[];

function templateForm(template: ValueTemplate): Form {
  switch (template.kind) {
    case "literal":
      return ["literal", template.value];
    case "text":
      return ["text", partsForm(template.template)];
    case "compiled":
      // The text says all of it but what stands behind the names of vars.
      return [
        "compiled",
        template.text.text,
        template.compiled.expressions.map(({ expression }) => expressionForm(expression)),
      ];
    case "list":
      return ["list", template.items.map(templateForm)];
    case "map":
      return ["map", template.entries.map(({ key, value }) => [key, templateForm(value)])];
  }
}

function placedForm(placed: PlacedExpression | undefined): Form {
  return placed === undefined ? null : expressionForm(placed.expression);
}

function partsForm({ parts }: Template): Form {
  return parts.map((part) => (typeof part === "string" ? part : [expressionForm(part.expression)]));
}

function expressionForm(node: Expression): Form {
  switch (node.kind) {
    case "literal":
      return ["literal", node.value];
    case "text":
      return ["text", partsForm(node.template)];
    case "list":
      return ["list", node.items.map(expressionForm)];
    case "path":
      return ["path", node.root, stepsForm(node.steps)];
    case "access":
      return ["access", expressionForm(node.value), stepsForm(node.steps)];
    case "not":
    case "negate":
      return [node.kind, expressionForm(node.operand)];
    case "arithmetic":
    case "logical":
      return [node.kind, node.operator, expressionForm(node.left), expressionForm(node.right)];
    case "comparison":
      return [node.kind, [...node.operators], node.operands.map(expressionForm)];
    case "conditional":
      return [node.kind, ...[node.condition, node.then, node.otherwise].map(expressionForm)];
    case "call":
      return [node.kind, node.name, node.arguments.map(expressionForm)];
  }
}

function stepsForm(steps: readonly Step[]): Form {
  return steps.map(({ key }) => (typeof key === "object" ? [expressionForm(key)] : key));
}
