import type * as z from "zod";
import type { Expression, Scope } from "../expression/ast.ts";
import type { Proof } from "../expression/proof.ts";
import type { Value, ValueMap } from "../expression/value.ts";
import type { Vars } from "../expression/vars.ts";
import type { Result } from "../util/result.ts";
import type { BlockFiles } from "./block-files.ts";
import type { Browsers } from "./browsers.ts";
import type { Clock, Environment, Http, OutputStream, Ports, Processes, Scratch } from "./ports.ts";
import type { SandboxLimits } from "./sandbox.ts";
import type { Cost, Prices } from "./spend.ts";

/**
 * A block type is one object: its names, its schemas, its documentation and its behaviour together. Schema, editor completion,
 * docs and checks all follow from it, and no code outside the object asks which type it has before it.
 */
export interface BlockType {
  readonly type: string;
  /** Other names that are accepted for it. */
  readonly aliases?: readonly string[];
  /** One line, for lists. */
  readonly summary: string;
  /** Schemas, which most starts need none of: made when they are first asked for. */
  readonly inputs: () => z.ZodObject;
  readonly outputs: () => z.ZodObject;
  /** Names that its inputs have in other systems, each with the input that it stands for. */
  readonly otherNames?: Readonly<Record<string, string>>;
  /** Inputs of other systems or earlier versions that none of its own stands for, each with what to write instead. */
  readonly droppedInputs?: Readonly<Record<string, string>>;
  /** Inputs that may hold secrets: what is done with them is recorded nowhere and shown to nobody. */
  readonly secretInputs?: readonly string[];
  /** Those of them that take a secret and nothing else, such as a key: whatever is written there instead would be recorded. */
  readonly onlySecretInputs?: readonly string[];
  /** The input with the variables of its commands, which get those of the workflow too. */
  readonly envInput?: string;
  /** Inputs whose text is not a plain template but a language of its own, such as a shell command. */
  readonly languages?: Readonly<Record<string, InputLanguage>>;
  /** Codes of hints about an input's text that another input has dealt with, such as one that asks for strict mode. */
  settledHints?(written: WrittenInputs): readonly string[];
  /** What the outputs are when the block did not run to its end: never anything that looks like success. */
  readonly defaultOutputs: ValueMap;
  /** Outputs that tell how it went rather than what it made, each with its value had it gone well. */
  readonly stateOutputs?: ValueMap;
  /** Whether `outputs:` on the block may name files to read when it ends. */
  readonly fileOutputs?: boolean;
  /** Whether it runs commands, which `sandbox:` on the block keeps from the rest of the machine. */
  readonly sandbox?: boolean;
  /** Whether what it does to files is known only by looking: `effects:` on the block says how. */
  readonly effects?: boolean;
  /** Seconds a block of this type may take unless it says otherwise. */
  readonly defaultTimeout?: number;
  /** How it is tried again unless the block has a `retry` of its own. */
  readonly defaultRetry?: DefaultRetry;
  /** Why a time limit has no effect on it; whoever sets one gets that as a hint. */
  readonly timeoutHint?: string;
  /** Why it can't have a time limit; setting one is an error. */
  readonly refusesTimeout?: string;
  /** An input that is another spelling of the block's `timeout`. */
  readonly timeoutInput?: { readonly name: string; readonly unit: "s" | "ms" };
  readonly capabilities: readonly Capability[];
  /**
   * Whether its code computes something of its inputs, and the time, and does nothing else: it reaches no file, process, network or state,
   * and writes nothing to the log. May depend on its inputs. Such a block starts before that is on record, and one that is not on record is
   * computed again after a crash: nobody can tell.
   */
  readonly pure?: boolean | ((input: ValueMap) => boolean);
  /** Whether what it did can be taken back; may depend on its inputs. See `undoOf`. */
  readonly undo: UndoOfType | ((written: WrittenInputs) => UndoOfType);
  /**
   * The block that takes back what one has done beside changes of files, if it has. It is given the outputs that were announced before
   * anything was done, if any were, so that it also takes back what an attempt has left that did not come to its end. What the
   * author of a block declares goes before it.
   */
  compensation?(input: ValueMap, outputs: ValueMap): Compensation | undefined;
  /** The most that an attempt with these inputs can cost, as far as it can be told before; `cost:` on the block goes before it. */
  estimate?(input: ValueMap, prices: Prices): Cost | undefined;
  /** What becomes of a block whose engine died while it ran, unless the block says otherwise; may depend on its inputs. */
  readonly onInterrupted: OnInterrupted | ((input: ValueMap) => OnInterrupted);
  /** Whether its result is as good in a rerun as when it was made; what lives only as long as the run is not. */
  reusable?(input: ValueMap): boolean;
  /** Problems that only the type can see in a block's inputs as written; expressions in them are not resolved yet. */
  check?(written: WrittenInputs, setting: BlockSetting): readonly InputProblem[];
  /** Problems that depend on what is known of the values of expressions before a run. */
  checkValues?(written: WrittenInputs, known: KnownValues): readonly InputProblem[];
  /** Problems that take a tool to find, such as a shell's own syntax check; asked only when somebody validates. */
  verify?(written: WrittenInputs, ports: Ports): Promise<readonly InputProblem[]>;
  /** What it runs, as far as its inputs tell before a run. */
  programs?(written: WrittenInputs): BlockPrograms;
  /** The input with the path of the file that it writes, and those that decide what the file holds. */
  readonly writes?: { readonly path: string; readonly content: readonly string[] };
  readonly behaviour: LeafBehaviour | NestedBehaviour | GroupBehaviour;
}

export interface DefaultRetry {
  /** All tries. */
  readonly attempts: number;
  /** Seconds before the second; it doubles with every attempt. */
  readonly delay: number;
  /** Values of its output `status_code` after which it is tried again. */
  readonly statusCodes?: readonly number[];
  /** Parts of messages after which it is. */
  readonly messages?: readonly string[];
}

/** What can be told of the values of a block's expressions before a run. */
export interface KnownValues {
  /** What holds of the value, whatever it will be. */
  proofOf(expression: Expression): Proof | undefined;
  /** The input that the expression is, if it is one and nothing else. */
  inputOf(expression: Expression): KnownInput | undefined;
}

/** An input as far as its declaration could say more of it. */
export interface KnownInput {
  readonly name: string;
  readonly type: string;
  readonly isSecret: boolean;
  /** Whether it would be proved if it could not be left out. */
  readonly lacksDefault: boolean;
}

export interface BlockPrograms {
  /** The `${...}` in its inputs whose values decide which program runs. */
  readonly chosen: readonly string[];
  /** What it runs of the workspace, so that who chooses the directory or writes the file chooses the program. */
  readonly files: readonly FileName[];
  /** Files that it writes values to. */
  readonly written: readonly WrittenFile[];
}

/** The last part of a file's path, or what names of that kind look like. */
export type FileName = string | RegExp;

export interface WrittenFile {
  /** Empty when it is computed. */
  readonly name: string;
  /** A `${...}` whose value it holds. */
  readonly value: string;
}

export type Capability = "commands" | "reads files" | "writes files" | "network" | "state" | "prompts";
/** Run it again, ask what to do, or let it fail so that its effect happens at most once. */
export const onInterruptedChoices = ["rerun", "ask", "fail"] as const;
export type OnInterrupted = (typeof onInterruptedChoices)[number];
/**
 * `not_needed`: it changes nothing. `automatic`: all that it changes are files, by `files.change`, which keeps what they replace, or is
 * taken back by its `compensation`.
 * `irreversible`: what it does is not known well enough to be taken back.
 */
export type UndoOfType = "not_needed" | "automatic" | "irreversible";

/** Whether what a block with these inputs did can be taken back without anybody looking or saying how. */
export function undoOf({ undo }: BlockType, written: WrittenInputs): UndoOfType {
  return typeof undo === "function" ? undo(written) : undo;
}

/** Whether a block with these inputs does nothing but compute. */
export function isPure({ pure = false }: BlockType, input: ValueMap): boolean {
  return typeof pure === "function" ? pure(input) : pure;
}

/** A block as data. It can be run more than once. */
export interface Compensation {
  readonly type: string;
  readonly inputs: ValueMap;
}

/** A block that does something itself. */
export interface LeafBehaviour {
  readonly kind: "leaf";
  run(input: ValueMap, context: BlockContext): Promise<BlockResult>;
  /** Continues a paused block with an answer that already fits the prompt. */
  resume?(input: ValueMap, answer: Value, context: BlockContext): Promise<BlockResult>;
  /** Continues a block that slept, once its time has come. Has no effect of its own: after a crash it is called again. */
  wake?(input: ValueMap, sleptMs: number, context: BlockContext): Promise<BlockResult>;
  /**
   * The result of a block that was interrupted and of which somebody says that it was done. Has no effect of its own. Without it
   * such a block has its default outputs.
   */
  adopt?(input: ValueMap, soFar: WrittenSoFar, context: BlockContext): Promise<BlockResult>;
}

/** What an interrupted attempt had written when it ended. */
export interface WrittenSoFar {
  readonly stdout: string;
  readonly stderr: string;
}

/** A block that stands for another workflow; the engine runs that workflow inside the same run. */
export interface NestedBehaviour {
  readonly kind: "nested";
  /** The inputs that name the child and hold what it is given, for checks before a run. */
  readonly nameInput: string;
  readonly argumentsInput: string;
  /** The input that names the directory it works in. */
  readonly workspaceInput?: string;
  child(input: ValueMap): ChildWorkflow;
}

/** A block whose own blocks are written inside it; the engine runs them in the scope of the workflow around. */
export interface GroupBehaviour {
  readonly kind: "group";
}

export interface ChildWorkflow {
  readonly workflow: string;
  readonly inputs: ValueMap;
  readonly workspace?: string;
}

export type BlockResult =
  | { readonly kind: "succeeded"; readonly outputs: ValueMap }
  /** The operation ran and failed. A block that could not run at all throws instead. */
  | {
      readonly kind: "failed";
      readonly message: string;
      readonly outputs: ValueMap;
      /** How long the other side asks to wait, such as by Retry-After; wins over the delay of `retry`. */
      readonly retryAfterMs?: number;
    }
  | { readonly kind: "paused"; readonly question: Question }
  /** It goes on at this time, with `wake`; meanwhile it holds nothing. */
  | { readonly kind: "sleeping"; readonly until: Date };

export interface Question {
  readonly text: string;
  readonly audience: "llm" | "human";
  /** JSON Schema of the answer. */
  readonly schema?: ValueMap;
  readonly choices?: readonly string[];
  /** Fills an empty answer; never answers by itself. */
  readonly default?: Value;
}

/** Thrown by a block for a reason its user can act on: the block is `failed` with exactly this message. */
export class BlockCannotRun extends Error {
  override readonly name = "BlockCannotRun";
}

export interface BlockContext {
  readonly runId: string;
  /** The block's address from the root of the run. */
  readonly path: string;
  readonly attempt: number;
  readonly idempotencyKey: string;
  /** Absolute, real path of the directory the run works in. */
  readonly workspace: string;
  readonly signal: AbortSignal;
  readonly processes: Processes;
  readonly files: BlockFiles;
  readonly http: Http;
  readonly browsers: Browsers;
  readonly clock: Clock;
  readonly environment: Environment;
  readonly scratch: Scratch;
  /** Where commands of the block have to run, if anybody around it says so. */
  readonly sandbox?: SandboxLimits;
  readonly fileOutputs: readonly FileOutput[];
  /** What the input's language made of it: see `InputLanguage`. */
  compiled(input: string): unknown;
  /** Whether the input stands in the file as it is, so that no value decides about it. */
  isLiteral(input: string): boolean;
  log(stream: OutputStream, chunk: Uint8Array): void;
  readonly prices: Prices;
  /** Adds to what the attempt has cost; told as soon as it is known, so that it counts also where the attempt does not come to its end. */
  spend(cost: Cost): void;
}

export const fileOutputTypes = ["str", "int", "float", "bool", "json", "list", "dict"] as const;
export type FileOutputType = (typeof fileOutputTypes)[number];

/** A file to read when the block ends; its path has its expressions resolved. */
export interface FileOutput {
  readonly name: string;
  readonly type: FileOutputType;
  readonly path: string;
  readonly required: boolean;
  readonly unsafe: boolean;
}

/** A block input as it stands in the definition: data without expressions, or something that is only known later. */
export type Written = { readonly known: true; readonly value: Value } | WrittenWithExpressions;

export interface WrittenWithExpressions {
  readonly known: false;
  /** What the input's language made of it. */
  readonly compiled?: CompiledInput;
  /** Of a text: what is written, and the `${...}` in between. */
  readonly pieces?: readonly (string | { readonly expression: string })[];
  /** Of a list. */
  readonly items?: readonly Written[];
  /** Of a map. */
  readonly entries?: readonly (readonly [string, Written])[];
}

export type WrittenInputs = Readonly<Record<string, Written>>;

export interface InputLanguage {
  readonly name: string;
  /** `${...}` is its own as well: what begins with none of our names stays as it is, and `$${` escapes nothing there. */
  readonly hasOwnBraces?: true;
  compile(text: string, vars?: Vars): Result<CompiledInput, readonly InputProblem[]>;
}

/** What a block type may know of the rest of a block. */
export interface BlockSetting {
  /** Whether it runs once per element. */
  readonly isLoop: boolean;
}

export interface CompiledInput {
  /** Every expression of ours in the text, with its place. */
  readonly expressions: readonly { readonly expression: Expression; readonly start: number; readonly end: number }[];
  readonly notes: readonly InputProblem[];
  /** Places whose values become part of the source, which is never safe. */
  readonly pasted?: readonly { readonly start: number; readonly end: number }[];
  resolve(scope: Scope): Result<ResolvedInput, { readonly message: string }>;
  /** The text with what its expressions come to, as far as that is given; the others stay as they are written. */
  show(textOf: (expression: Expression) => string | undefined): string;
}

export interface ResolvedInput {
  /** What is recorded and shown as the input. */
  readonly shown: string;
  /** What the block's behaviour gets from `context.compiled`. */
  readonly compiled: unknown;
}

/** A problem in an input's text; offsets count within that text. */
export interface InputProblem {
  readonly code: string;
  readonly level: "error" | "warning" | "hint";
  readonly message: string;
  readonly why?: string;
  readonly fix?: string;
  /** The input it concerns, when the text alone does not tell. */
  readonly input?: string;
  readonly start?: number;
  readonly end?: number;
}
