import type { Result } from "../../../util/result.ts";
import type { Begun } from "./begin-observation.ts";
import type { Ended } from "./end-observation.ts";
import type { Keeper } from "./surroundings.ts";

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
    | { readonly kind: "compare"; readonly snapshot: string };
}

export type TaskAnswer =
  | { readonly kind: "begin"; readonly result: Result<Begun, string> }
  | { readonly kind: "compare"; readonly result: Result<Ended, string> };

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
