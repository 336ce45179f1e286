import type { Report } from "../diagnostic/collect-diagnostics.ts";
import { suggestName } from "../diagnostic/did-you-mean.ts";
import type { Range } from "../diagnostic/source.ts";
import type { Expression } from "../expression/ast.ts";
import { references } from "../expression/references.ts";
import { isList, type Value } from "../expression/value.ts";
import { markOrigin, type VarProblem, type Vars } from "../expression/vars.ts";
import { err, ok, type Result } from "../util/result.ts";
import { checkName } from "./names.ts";
import { compileValue, expressionsIn, type ValueTemplate, wholeCondition } from "./value-template.ts";
import type { PlacedExpression } from "./workflow-definition.ts";
import { describeNode, type YamlEntry, type YamlMap } from "./yaml-node.ts";

/** A name for an expression, as its author wrote it. */
export interface VarDefinition {
  readonly name: string;
  readonly value: ValueTemplate;
  /** The text as a whole is a condition: its boolean is the value. */
  readonly condition?: PlacedExpression;
  readonly range: Range;
}

/** How many vars may stand between one and what it reads in the end. */
const deepestVars = 50;
/** What the vars of one file may grow to, written out wherever they are read. */
const mostNodesInFile = 500_000;

/** A var that can't be read has been reported; what reads it is no second mistake. */
const brokenVar = "broken-var";

/** The vars of a file. Each is read when it is first asked for, so that their order does not matter. */
export class FileVars implements Vars {
  /** Those that could be read. */
  readonly definitions: Map<string, VarDefinition> = new Map();
  readonly #entries: ReadonlyMap<string, YamlEntry>;
  readonly #report: Report;
  readonly #read = new Map<string, { readonly expression: Result<Expression, VarProblem>; readonly depth: number }>();
  readonly #used = new Set<string>();
  /** Those that are just being read, each for the one before it. */
  readonly #open: { readonly name: string; depth: number }[] = [];
  #nodes = 0;

  constructor(map: YamlMap | undefined, report: Report) {
    this.#entries = new Map(map?.entries.map((entry) => [entry.key, entry]));
    const own: Report = (diagnostic) => {
      if (diagnostic.code !== brokenVar) report(diagnostic);
    };
    const { isStored } = report;
    this.#report = Object.assign(own, { vars: this, ...(isStored === undefined ? {} : { isStored }) });
  }

  /** Where problems of the file go: what is read with it knows the vars. */
  get report(): Report {
    return this.#report;
  }

  find(name: string): Result<Expression, VarProblem> {
    this.#used.add(name);
    return this.#find(name);
  }

  spend(nodes: number): boolean {
    this.#nodes += nodes;
    return this.#nodes <= mostNodesInFile;
  }

  readAll(): ReadonlyMap<string, VarDefinition> {
    for (const name of this.#entries.keys()) this.#find(name);
    return this.definitions;
  }

  /** To be called when the file has been read: what is looked at again later costs it nothing. */
  finish(): void {
    this.#nodes = Number.NEGATIVE_INFINITY;
    for (const [name, { keyRange: range }] of this.#entries) {
      if (this.#used.has(name)) continue;
      const message = `Nothing reads vars.${name}.`;
      this.#report({ code: "unused-var", level: "hint", message, fix: "Remove it.", range });
    }
  }

  #find(name: string): Result<Expression, VarProblem> {
    const reader = this.#open.at(-1);
    const cycle = this.#open.findIndex((open) => open.name === name);
    if (cycle !== -1) return err(this.#cycle([...this.#open.slice(cycle).map((open) => open.name), name]));
    const entry = this.#entries.get(name);
    if (entry === undefined) return err(this.#unknown(name));
    const known = this.#read.get(name) ?? this.#readVar(entry);
    if (reader !== undefined) reader.depth = Math.max(reader.depth, known.depth + 1);
    if (reader !== undefined && reader.depth > deepestVars) {
      const message = `vars.${reader.name} reads vars that read vars, more than ${deepestVars} deep.`;
      return err({ code: "expression-too-deep", message, fix: "Write some of them out." });
    }
    return known.expression;
  }

  #readVar(entry: YamlEntry): { readonly expression: Result<Expression, VarProblem>; readonly depth: number } {
    const { key: name } = entry;
    if (this.#open.length >= deepestVars) return { expression: err(broken(name)), depth: deepestVars };
    const open = { name, depth: 1 };
    this.#open.push(open);
    const definition = this.#load(entry);
    this.#open.pop();
    const expression = definition === undefined ? err(broken(name)) : ok(asExpression(definition));
    if (definition !== undefined) this.definitions.set(name, definition);
    const read = { expression, depth: open.depth };
    this.#read.set(name, read);
    return read;
  }

  #load({ key: name, keyRange: range, value: node }: YamlEntry): VarDefinition | undefined {
    let sound = true;
    const report: Report = Object.assign(
      (diagnostic: Parameters<Report>[0]) => {
        if (diagnostic.level === "error") sound = false;
        this.#report(diagnostic);
      },
      { vars: this },
    );
    const badName = checkName(name, "a var", /^[A-Za-z_][A-Za-z0-9_]*$/, "use letters, digits and _");
    if (badName !== undefined) report({ code: "bad-name", level: "error", message: badName, range });
    const condition = wholeCondition(node, report);
    const value = compileValue(node, report);
    if (holdsMap(value)) {
      report({
        code: "wrong-type",
        level: "error",
        message: `vars.${name} must be an expression, a text, a number, true or false, or a list of these, not ${describeNode(node)}.`,
        fix: "Give each entry a var of its own, or use from_json('{...}').",
        range: node.range,
      });
    }
    const definition = { name, value, range, ...(condition === undefined ? {} : { condition }) };
    for (const { expression, text } of condition === undefined ? expressionsIn(value) : [condition]) {
      for (const { root, start, end } of references(expression)) {
        if (readableRoots.has(root)) continue;
        report({
          code: "reference-not-allowed",
          level: "error",
          message: `vars.${name} can't read '${root}': it belongs to one block, and a var to the whole workflow.`,
          fix: `Write \${${root}....} where it is needed.`,
          range: text.rangeOf(start, end),
        });
      }
    }
    return sound ? definition : undefined;
  }

  #unknown(name: string): VarProblem {
    const names = [...this.#entries.keys()];
    const fix = names.length === 0 ? "Declare it under `vars:`." : suggestName(name, names, "var");
    return { code: "unknown-var", message: `The workflow has no var '${name}'.`, fix };
  }

  #cycle(path: readonly string[]): VarProblem {
    const shown = path.map((name) => `vars.${name}`).join(" -> ");
    const message = path.length === 2 ? `vars.${path[0]} reads itself.` : `The vars read each other: ${shown}.`;
    return { code: "var-cycle", message, fix: "Write one of them out." };
  }
}

/** What is the same wherever in the workflow it is read. */
const readableRoots: ReadonlySet<string> = new Set(["inputs", "metadata", "blocks", "secrets"]);

function broken(name: string): VarProblem {
  return { code: brokenVar, message: `vars.${name} can't be read.` };
}

function holdsMap(template: ValueTemplate): boolean {
  if (template.kind === "map") return true;
  if (template.kind === "literal") return template.entries !== undefined || (template.items?.some(holdsMap) ?? false);
  return template.kind === "list" && template.items.some(holdsMap);
}

function asExpression({ name, condition, value }: VarDefinition): Expression {
  if (condition !== undefined) return markOrigin(condition.expression, name, condition.text);
  return fromTemplate(value, name);
}

function fromTemplate(template: ValueTemplate, name: string): Expression {
  const { range } = template;
  const text = template.kind === "text" ? template.text : { text: "", rangeOf: () => range };
  return markOrigin(toExpression(template, name), name, text);
}

function toExpression(template: ValueTemplate, name: string): Expression {
  switch (template.kind) {
    case "text": {
      const { parts } = template.template;
      const [only] = parts;
      if (typeof only === "object" && parts.length === 1) return only.expression;
      return { kind: "text", template: { parts }, start: 0, end: template.text.text.length };
    }
    case "list":
      return { kind: "list", items: template.items.map((item) => fromTemplate(item, name)), start: 0, end: 0 };
    case "literal":
      return fromValue(template.value);
    default:
      return fromValue(null);
  }
}

function fromValue(value: Value): Expression {
  if (isList(value)) return { kind: "list", items: value.map(fromValue), start: 0, end: 0 };
  return { kind: "literal", value: typeof value === "object" ? null : value, start: 0, end: 0 };
}
