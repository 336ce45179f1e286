import type { Cost } from "../block/spend.ts";
import type { Range, Source } from "../diagnostic/source.ts";
import type { Value, ValueMap } from "../expression/value.ts";
import type { Expectation } from "./expectation.ts";

/** A test file as its author wrote it. */
export interface TestFile {
  readonly source: Source;
  /** A name of the library or the path of a file; what lies beside the test file if it does not say. */
  readonly workflow?: WorkflowTarget;
  readonly cases: readonly TestCase[];
}

export interface WorkflowTarget {
  readonly kind: "name" | "path";
  readonly text: string;
  readonly range: Range;
}

export interface TestCase {
  readonly name: string;
  readonly range: Range;
  /** Programs that have to be there. */
  readonly uses: readonly string[];
  readonly inputs: ValueMap;
  /** By path in the workspace. */
  readonly files: ReadonlyMap<string, GivenFile>;
  readonly setup?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly commands: ReadonlyMap<string, FakeCommand>;
  readonly without: readonly string[];
  /** Texts of workflows that are found before all others. */
  readonly workflows: ReadonlyMap<string, string>;
  /** By address: how its attempts end. */
  readonly mocks: ReadonlyMap<string, readonly Mock[]>;
  /** By address; each is a list of answers to be given one after the other, or one that is given whenever it is asked for. */
  readonly answers: ReadonlyMap<string, Value>;
  readonly expected: ExpectedOutcome;
  readonly timeoutSeconds: number;
}

export interface GivenFile {
  readonly content: string;
  readonly mode?: number;
}

/** A program that stands before all others of its name and remembers how it was called. */
export type FakeCommand =
  | { readonly kind: "answers"; readonly stdout: string; readonly stderr: string; readonly exitCode: number }
  | { readonly kind: "script"; readonly script: string };

/** How a block ends that does not run. */
export type Mock = (
  | { readonly kind: "succeeds"; readonly outputs: ValueMap }
  | { readonly kind: "fails"; readonly message: string; readonly outputs: ValueMap }
  | { readonly kind: "crashes"; readonly message: string }
) & {
  /** What it costs. */
  readonly spend?: Cost;
};

export const expectedStatuses = ["success", "failure", "paused"] as const;

export interface ExpectedOutcome {
  readonly status: (typeof expectedStatuses)[number];
  readonly error?: Expectation;
  readonly outputs: ReadonlyMap<string, Expectation>;
  readonly blocks: ReadonlyMap<string, ExpectedBlock>;
  readonly order?: readonly string[];
  readonly prompts?: readonly ExpectedPrompt[];
  readonly files: ReadonlyMap<string, ExpectedFile>;
  /** By name of the fake: its calls, each with its arguments. */
  readonly commands: ReadonlyMap<string, readonly (readonly Expectation[])[]>;
  readonly run?: string;
}

/** `failed`: either it could not run or what it tried did not work. `not_run`: it was never reached. */
export const blockStatuses = ["completed", "succeeded", "failed", "skipped", "paused", "not_run"] as const;
export const blockOutcomes = ["success", "failure", "n/a"] as const;

export interface ExpectedBlock {
  readonly status?: (typeof blockStatuses)[number];
  readonly outcome?: (typeof blockOutcomes)[number];
  readonly message?: Expectation;
  readonly attempts?: Expectation;
  readonly inputs: ReadonlyMap<string, Expectation>;
  readonly outputs: ReadonlyMap<string, Expectation>;
}

export interface ExpectedPrompt {
  readonly block?: string;
  readonly prompt?: Expectation;
  readonly audience?: "llm" | "human";
}

export type ExpectedFile = { readonly kind: "absent" } | { readonly kind: "content"; readonly content: Expectation };
