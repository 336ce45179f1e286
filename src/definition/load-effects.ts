import type { BlockType } from "../block/define-block.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import { choice, flag, readText } from "./forms.ts";
import type { Key } from "./key.ts";
import type { KeyReader } from "./map-reader.ts";
import { type BlockDefinition, effectsChoices, type OnFailure, onFailureChoices } from "./workflow-definition.ts";
import type { YamlNode } from "./yaml-node.ts";

interface TypeContext {
  readonly type: BlockType;
}

const onFailureForm = choice(onFailureChoices);

/** On a workflow: what holds for its blocks, those in groups too, that say nothing themselves. */
export const workflowOnFailure: Key<OnFailure | undefined> = {
  name: "on_failure",
  docs: "What a failed block leads to, unless the block says it itself: go on, start nothing new, or undo the run or the block",
  examples: ["rollback", "stop", "rollback_block", "continue"],
  foreign: ["failure_policy", "error_policy", "on_fail"],
  ...onFailureForm,
};

export const onFailure: Key<OnFailure | undefined> = {
  name: "on_failure",
  docs: "What its failure leads to, when no attempt is left: go on, start nothing new, undo the run, or undo this block and go on",
  examples: ["rollback", "stop", "rollback_block", "continue"],
  foreign: ["failure_policy", "error_policy", "on_fail"],
  ...onFailureForm,
};

export const commitPoint: Key<boolean | undefined> = {
  name: "commit_point",
  docs: "A rollback does not go back past it, once it has succeeded",
  examples: ["true"],
  foreign: ["checkpoint", "point_of_no_return", "pivot"],
  ...flag,
};

export const effects: Key<BlockDefinition["effects"], TypeContext> = {
  name: "effects",
  docs: "How what its command does to files can be undone: found by looking before and after, kept apart until it succeeds, or not at all",
  examples: ["observe", "isolated", "none"],
  schema: choice(effectsChoices).schema,
  read(at, { type }) {
    if (at.entry === undefined || type.effects === true) return at.oneOf(effectsChoices);
    return refuseWithoutCommands(at, type);
  },
};

export const writes: Key<BlockDefinition["writes"], TypeContext> = {
  name: "writes",
  docs: "Files that its command changes although git ignores them: patterns below the workspace, observed as well",
  examples: ['[dist/**, "*.log"]'],
  schema: { type: "array", items: { type: "string", minLength: 1 } },
  read(at, { type }) {
    if (at.entry === undefined || type.effects === true)
      return at.listAt()?.items.flatMap((item) => readPattern(item, at.report) ?? []);
    return refuseWithoutCommands(at, type);
  },
};

/** Whoever relies on files being kept is told that they are, or that nobody would look. */
function refuseWithoutCommands(at: KeyReader, type: BlockType): undefined {
  at.report({
    code: "no-effects",
    level: "error",
    message: `${at.what}: \`${at.name}\` means nothing for a block of type ${type.type}.`,
    why: "It is about commands, and it runs none itself.",
    fix:
      type.behaviour.kind === "leaf"
        ? `Remove \`${at.name}\`.`
        : `Remove \`${at.name}\`, or set it on the Shell and Agent blocks inside.`,
    range: at.entry?.keyRange ?? at.range,
  });
  return undefined;
}

/** A pattern stands in the file as it is: what is looked at is known before anything runs. */
function readPattern(item: YamlNode, report: Report): string | undefined {
  const pattern = readText(item, "a pattern", report);
  if (pattern === undefined) return undefined;
  const problem = patternProblem(pattern);
  if (problem === undefined) return pattern;
  report({ code: "bad-pattern", level: "error", ...problem, range: item.range });
  return undefined;
}

function patternProblem(pattern: string): { readonly message: string; readonly fix: string } | undefined {
  if (pattern.includes("${")) {
    return { message: "A pattern can't hold an expression.", fix: "Write it out, with * for what varies." };
  }
  if (pattern.trim() === "") return { message: "This pattern is empty.", fix: "Write one like dist/**." };
  if (/^(?:[/~\\]|[A-Za-z]:[/\\])/.test(pattern)) {
    return { message: "A pattern names files below the workspace.", fix: "Write it relative to the workspace." };
  }
  if (pattern.split(/[/\\]/).includes("..")) {
    return { message: "A pattern can't lead out of the workspace.", fix: "Remove `..`." };
  }
  return undefined;
}
