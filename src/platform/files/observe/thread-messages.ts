import type { StoredState } from "../../../changes/recorded-change.ts";
import type { Result } from "../../../util/result.ts";
import type { Begun } from "./begin-observation.ts";
import type { Ended } from "./end-observation.ts";
import type { Keeper } from "./surroundings.ts";

/** What a thread is started with: the file of its program, to start another that helps it, unless it is that one. */
export type ThreadData = { readonly helps: true } | { readonly helps: false; readonly program: string };

/** What the thread that looks at workspaces is asked to do. */
export interface ThreadTask {
  readonly workspace: string;
  readonly own: readonly string[];
  /** Where it keeps what it knows of workspaces. */
  readonly indexes: string;
  readonly git: { readonly file: string; readonly variables: Readonly<Record<string, string>> } | undefined;
  /** Its first number is not 0 once the answer is not wanted any more: looked at where no message would be. */
  readonly stop: SharedArrayBuffer;
  readonly what:
    | { readonly kind: "begin"; readonly writes: readonly string[] }
    | { readonly kind: "compare"; readonly snapshot: string }
    | { readonly kind: "recall"; readonly snapshot: string; readonly paths: readonly string[] };
}

export type TaskAnswer =
  | { readonly kind: "begin"; readonly result: Result<Begun, string> }
  | { readonly kind: "compare"; readonly result: Result<Ended, string> }
  | { readonly kind: "recall"; readonly states: readonly (StoredState | undefined)[] };

export type KeeperMethod = keyof Keeper;

/** To the thread. A task has a number, and so has each of its calls for the bytes that are kept. */
export type ToThread =
  | { readonly kind: "task"; readonly task: number; readonly request: ThreadTask }
  | { readonly kind: "stop"; readonly task: number }
  | { readonly kind: "returned"; readonly call: number; readonly value: unknown }
  | { readonly kind: "threw"; readonly call: number; readonly error: unknown };

export type FromThread =
  | {
      readonly kind: "call";
      readonly task: number;
      readonly call: number;
      readonly method: KeeperMethod;
      readonly args: readonly unknown[];
    }
  | { readonly kind: "answer"; readonly task: number; readonly answer: TaskAnswer }
  | { readonly kind: "failed"; readonly task: number; readonly error: unknown };
