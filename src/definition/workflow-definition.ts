import type { BlockType, FileOutputType, OnInterrupted } from "../block/define-block.ts";
import type { SandboxLimits } from "../block/sandbox.ts";
import type { Range, Source } from "../diagnostic/source.ts";
import type { Expression } from "../expression/ast.ts";
import type { ValueMap } from "../expression/value.ts";
import type { CronExpression } from "../util/cron-expression.ts";
import type { DataType } from "./data-type.ts";
import type { WorkflowEnv } from "./load-env.ts";
import type { FileVars } from "./load-vars.ts";
import type { ValueLimits } from "./value-limits.ts";
import type { PlacedText, ValueTemplate } from "./value-template.ts";

/** Go on, start nothing new, undo the run, or undo the block alone and go on. */
export const onFailureChoices = ["continue", "stop", "rollback", "rollback_block"] as const;
export type OnFailure = (typeof onFailureChoices)[number];

/** How what a command does to files becomes known: by looking before and after, by keeping it apart, or not at all. */
export const effectsChoices = ["observe", "isolated", "none"] as const;
export type Effects = (typeof effectsChoices)[number];

/** Ask a person, start nothing else, or undo what lies in it. */
export const onExceededChoices = ["pause", "stop", "rollback"] as const;
export type OnExceeded = (typeof onExceededChoices)[number];

/** What something may cost with all that is inside it. */
export interface Budget {
  readonly maxCostUsd?: number;
  readonly maxTokens?: number;
  /** Seconds in which anything in it runs. */
  readonly maxDuration?: number;
  /** Attempts at leaves. */
  readonly maxBlocks?: number;
  readonly onExceeded: OnExceeded;
}

/** The most that one attempt costs. */
export interface DeclaredCost {
  readonly usd?: ValueTemplate;
  readonly tokens?: ValueTemplate;
}

/** A workflow as its author wrote it, checked on its own: nothing here depends on another workflow or on a run. */
export interface WorkflowDefinition {
  readonly source: Source;
  readonly name: string;
  readonly nameRange: Range;
  readonly description: string;
  readonly version: string;
  readonly author?: string;
  readonly tags: readonly string[];
  readonly inputs: ReadonlyMap<string, InputDeclaration>;
  /** Expressions by name; where one is read, it has taken the place of its name. */
  readonly vars: FileVars;
  /** It is a part of the inputs of each block that takes it. */
  readonly env?: WorkflowEnv | undefined;
  /** Those under `finally` come last. */
  readonly blocks: readonly BlockDefinition[];
  /** Ids of blocks that are in the file but too broken to be in `blocks`; naming one is no second mistake. */
  readonly unreadable: ReadonlySet<string>;
  readonly outputs: ReadonlyMap<string, OutputDeclaration>;
  readonly maxParallel?: number;
  /** Seconds of active time. */
  readonly timeout?: number;
  /** Seconds that the blocks under `finally` may take, whatever happened before. */
  readonly finallyTimeout?: number;
  /** For all commands in it and in the workflows that it calls. */
  readonly sandbox?: SandboxLimits;
  /** For its blocks, those in groups too, that say nothing themselves. */
  readonly onFailure?: OnFailure;
  readonly budget?: Budget;
  /** Whether a server offers it as a tool of its own. */
  readonly expose?: "tool";
  /** Labels that a worker must have to take its runs; sorted, each once. */
  readonly runsOn?: readonly string[];
  /** What directory a run gets for itself where a worker takes it; without it, it works where it was started. */
  readonly workspace?: "none" | GitWorkspace;
  /** When workers start it. */
  readonly schedule?: readonly ScheduleEntry[];
  /** How many of its runs may go on at the same time, on all workers. */
  readonly concurrency?: number;
}

/** A fresh checkout; both parts may read inputs. */
export interface GitWorkspace {
  readonly git: ValueTemplate;
  readonly ref?: ValueTemplate;
}

export interface ScheduleEntry {
  readonly cron: CronExpression;
  readonly timezone: string;
  readonly inputs: ValueMap;
}

export interface InputDeclaration extends ValueLimits {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
  /** May use `${metadata.*}`. */
  readonly default?: ValueTemplate;
  /** Holds a reference to a secret, handed over by a calling workflow. */
  readonly secret?: true;
  readonly range: Range;
}

export interface OutputDeclaration {
  readonly name: string;
  readonly value: ValueTemplate;
  /** The text as a whole is a condition: its boolean is the output. */
  readonly condition?: PlacedExpression;
  readonly type?: DataType;
  readonly description?: string;
  readonly range: Range;
}

/** An expression and the text it was read from, so that a problem in it can be pointed at. */
export interface PlacedExpression {
  readonly expression: Expression;
  readonly text: PlacedText;
}

export interface BlockDefinition {
  readonly id: string;
  /** Of one that holds blocks: the type `group`. */
  readonly type: BlockType;
  /** What is written inside it, instead of a type. */
  readonly group?: Group;
  /** Runs when everything else has ended, whatever happened. */
  readonly isFinally?: true;
  readonly description?: string;
  readonly inputs: ReadonlyMap<string, BlockInput>;
  readonly dependsOn: readonly Dependency[];
  readonly condition?: PlacedExpression;
  readonly forEach?: ForEach;
  readonly timeout?: Timeout;
  readonly retry?: Retry;
  readonly expect?: Expect;
  readonly repeat?: Repeat;
  /** Its failure, or that it ran out of time, is an answer: the workflow does not fail for it. */
  readonly allowFailure?: boolean;
  /** What the author said, if anything: see `effectiveOnFailure`. */
  readonly onFailure?: OnFailure;
  /** A rollback does not go back past it. */
  readonly commitPoint?: boolean;
  /** What the author said, if anything: see `effectiveEffects`. Only of a type that runs commands. */
  readonly effects?: Effects;
  /** Patterns below the workspace that are observed although git ignores them. */
  readonly writes?: readonly string[];
  /** What takes back what it did. */
  readonly undo?: Compensation;
  /** What `block` stands for in its expressions; written by undo plans. */
  readonly undoes?: UndoneBlock;
  /** Of one that holds others: for the whole of it, all passes and attempts. */
  readonly budget?: Budget;
  readonly cost?: DeclaredCost;
  /** Whether a rerun may take its result from the run before; the default is the type's. */
  readonly reuse?: boolean;
  /** What the author said, if anything; the default is the type's. */
  readonly onInterrupted?: OnInterrupted;
  readonly sandbox?: SandboxLimits;
  readonly fileOutputs: readonly FileOutputDeclaration[];
  readonly range: Range;
}

/** A block that undoes another one. Its expressions read `block`, which is that one, and secrets, and nothing else. */
export interface Compensation {
  /** It has the id of the block that it undoes. */
  readonly definition: BlockDefinition;
  /** Its keys as lines that can stand under an item of a list, with as many spaces before each as needed. */
  readonly text: string;
}

/** The block, or the attempt of one, that is undone: plain data. */
export interface UndoneBlock {
  /** Its address in its run. */
  readonly block: string;
  readonly attempt: number;
  readonly outcome: string;
  readonly status: string;
  /** Where it worked, relative to the workspace, if elsewhere. */
  readonly workspace?: string;
  readonly inputs: ValueMap;
  readonly outputs: ValueMap;
}

/** Blocks inside a block. */
export interface Group extends Pick<WorkflowDefinition, "blocks" | "unreadable" | "outputs"> {
  /** Of one that is no loop, where the key is the loop's. */
  readonly maxParallel?: number;
}

export interface Timeout {
  readonly value: ValueTemplate;
  /** What a plain number counts. */
  readonly unit: "s" | "ms";
}

export interface BlockInput {
  readonly name: string;
  readonly nameRange: Range;
  readonly value: ValueTemplate;
}

export interface Dependency {
  readonly block: string;
  /** What the author said, if anything; the default depends on what the condition mentions. */
  readonly required?: boolean;
  readonly range: Range;
}

export interface ForEach {
  readonly items: ValueTemplate;
  readonly mode: "parallel" | "sequential";
  readonly maxParallel: number;
  readonly onError: "continue" | "stop";
}

/** How often a block is tried, and when again. Values may hold expressions; they are resolved when an attempt has failed. */
export interface Retry {
  /** All tries. */
  readonly attempts: ValueTemplate;
  readonly delay?: ValueTemplate;
  readonly backoff: "fixed" | "exponential";
  readonly maxDelay?: ValueTemplate;
  /** Part of the delay by which it varies, up and down: 0 to 1. */
  readonly jitter: number;
  /** Absent: failures of the operation, and time limits. */
  readonly on?: readonly RetryReason[];
  /** What a failed attempt did to files is undone before the next one. */
  readonly restore?: boolean;
}

export type RetryReason =
  | { readonly kind: "timeout" | "failure" | "crash" }
  | { readonly kind: "exit" | "http"; readonly code: number }
  /** The message contains it. */
  | { readonly kind: "text"; readonly text: string };

/** What has to hold for a completed operation to be a success. */
export interface Expect {
  /** Absent: 0 alone. Only of a type that has an exit code. */
  readonly exitCodes?: readonly number[];
  readonly fileExists?: ValueTemplate;
  /** `this` is the record of the block. */
  readonly condition?: PlacedExpression;
}

/** Runs a block again and again. */
export interface Repeat {
  readonly max: ValueTemplate;
  /** `this` is the record of the pass that has just ended. */
  readonly until?: PlacedExpression;
  /** Between passes. */
  readonly delay?: ValueTemplate;
}

export interface FileOutputDeclaration {
  readonly name: string;
  readonly type: FileOutputType;
  readonly path: ValueTemplate;
  readonly required: boolean;
  readonly unsafe: boolean;
  readonly description?: string;
  readonly range: Range;
}
