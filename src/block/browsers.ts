import type { Value } from "../expression/value.ts";
import type { Result } from "../util/result.ts";

/**
 * Web pages that blocks look at and act on. A run has at most one browser, started when it is first needed; its sessions have cookies,
 * storage and pages of their own. No address is reached by any page that has not been checked.
 */
export interface Browsers {
  perform(request: BrowserRequest): Promise<Result<BrowserAnswer, BrowserProblem>>;
  /** Ends the browser of a run, with all its sessions, if there is one. */
  end(owner: string): Promise<void>;
}

export interface BrowserRequest {
  /** Whose browser it is: a run id. */
  readonly owner: string;
  readonly session: string;
  readonly step: BrowserStep;
  /** Whether the pages may reach addresses of this machine, of private networks and the like: for good, by who opens the session. */
  readonly allowPrivate: boolean;
  /** How long the page may take. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Told in a line what the pages do that nobody asked for. */
  onNote(line: string): void;
}

/** `open` begins the session where there is none yet; everything else needs one that has a page. */
export type BrowserStep =
  /** An address for http or https. */
  | { readonly kind: "open"; readonly url: string }
  | { readonly kind: "click"; readonly target: BrowserTarget }
  /** Replaces what a field holds. */
  | { readonly kind: "fill"; readonly target: BrowserTarget; readonly text: string }
  /** Options of a list, by their value or what they show. */
  | { readonly kind: "select"; readonly target: BrowserTarget; readonly options: readonly string[] }
  /** A key, such as Enter or Control+A; without a target, of what has the focus. */
  | { readonly kind: "press"; readonly target?: BrowserTarget | undefined; readonly key: string }
  | { readonly kind: "scroll"; readonly to: BrowserTarget | "top" | "bottom" | { readonly down: number } }
  /** What there is now; nothing is waited for. */
  | { readonly kind: "look"; readonly target?: BrowserTarget | undefined }
  | {
      readonly kind: "extract";
      readonly target?: BrowserTarget | undefined;
      readonly attribute?: string | undefined;
      readonly all: boolean;
    }
  | { readonly kind: "picture"; readonly target?: BrowserTarget | undefined; readonly fullPage: boolean };

/** Which elements of a page are meant. What is exact is the same as a whole; else a part of it will do, in upper or lower case. */
export type BrowserTarget = BrowserTargetKind & {
  /** Which of several, from 1; from the end below 0. */
  readonly nth?: number;
};

export type BrowserTargetKind =
  | { readonly by: "role"; readonly role: string; readonly name?: TargetText }
  | { readonly by: "text" | "label" | "placeholder"; readonly text: TargetText }
  | { readonly by: "css"; readonly selector: string };

export interface TargetText {
  readonly text: string;
  readonly exact: boolean;
}

/** A page after a step. */
export interface BrowserAnswer {
  readonly url: string;
  readonly title: string;
  /** What `extract` found. */
  readonly extracted?: Value;
  /** What `look` saw: the elements, or the page as a whole as one. */
  readonly elements?: readonly SeenElement[];
  /** PNG. */
  readonly picture?: Uint8Array;
}

export interface SeenElement {
  readonly visible: boolean;
  readonly enabled: boolean;
  readonly checked: boolean;
  /** As it is shown. */
  readonly text: string;
  /** What a field holds. */
  readonly value: string | null;
}

/**
 * `missing`: no browser, or nothing to drive it with; the message says how to get it. `refused`: it breaks a rule. `no-session`: there is
 * no page to do it on. `failed`: how things are on the page or on the network.
 */
export interface BrowserProblem {
  readonly kind: "missing" | "refused" | "no-session" | "failed" | "aborted";
  readonly message: string;
}
