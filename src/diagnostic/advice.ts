/**
 * What its reader can do about a problem, as data. Each door words it for its own readers: commands for a terminal, calls of tools
 * for a model. Nothing below the doors knows either.
 */
export type Advice =
  /** Look which runs there are. */
  | { readonly kind: "list-runs"; readonly nearest?: string }
  /** There are none yet. */
  | { readonly kind: "start-run" }
  /** The newest of the runs that can be meant, of so many. */
  | { readonly kind: "choose-run"; readonly runIds: readonly string[]; readonly count: number }
  /** It has ended: look at it, or make a new run of it. */
  | { readonly kind: "run-again"; readonly runId: string }
  /** It still runs: wait for its end, or end it. */
  | { readonly kind: "end-run"; readonly runId: string }
  /** Say what to run instead of the text of its file: the frozen one, or another. */
  | { readonly kind: "give-text"; readonly runId: string }
  /** Go on with those whose process is gone. */
  | { readonly kind: "recover-runs" }
  /** Something else has to be done before it can be read; meanwhile it can be ended, if it has not ended. */
  | { readonly kind: "give-up-run"; readonly runId: string; readonly remedy: string; readonly hasEnded: boolean }
  | { readonly kind: "list-checkpoints" }
  | { readonly kind: "choose-question"; readonly checkpointIds: readonly string[] }
  /** It asks nothing: go on without an answer. */
  | { readonly kind: "give-no-answer"; readonly runId: string }
  /** Only a person may answer. */
  | { readonly kind: "let-person-answer"; readonly checkpointId: string; readonly workspace: string }
  | { readonly kind: "list-workflows" }
  /** See what is wrong with it. */
  | { readonly kind: "check-workflow"; readonly workflow: string }
  /** A file has the name that was given for a workflow. */
  | { readonly kind: "run-file"; readonly file: string }
  /** A file that is none of a project's own workflows is to become one, or to be run as a text. */
  | { readonly kind: "adopt-file"; readonly file: string; readonly project: string }
  | TrustAdvice
  /** A file that is there already can be replaced, if that is asked for. */
  | { readonly kind: "replace-file" }
  | { readonly kind: "give-input"; readonly input: string }
  /** Look what inputs it takes. */
  | { readonly kind: "see-inputs"; readonly workflow: string }
  /** An input that was given as text, and a text that it could be. */
  | { readonly kind: "write-input"; readonly input: string; readonly sample: string }
  /** Inputs were to be read from a file. What was named instead may be a single input, `name=text`. */
  | { readonly kind: "give-inputs-file"; readonly pair?: string }
  | AllowCommandsAdvice
  /** The person who runs the server can allow what is unsafe. */
  | { readonly kind: "allow-unsafe" }
  /** Give the process the secret. */
  | { readonly kind: "set-secret" };

/** A person has to look at a project's files and trust them. */
export interface TrustAdvice {
  readonly kind: "trust-project";
  readonly file: string;
  readonly project: string;
  /** Whether it has been trusted before, so that there are changes to look at. */
  readonly isKnown: boolean;
  /** Set where it was asked for by its name: whoever names the file itself needs no trust in it. */
  readonly isAskedFor?: true;
  /** The run that was to be repeated, where that can be done with another text instead. */
  readonly runId?: string;
}

/** The person who runs the server can let a workflow take commands, or trust the directory that it runs in. */
export interface AllowCommandsAdvice {
  readonly kind: "allow-commands";
  readonly workflow: string;
  /** Given where it is the directory that decides what runs. */
  readonly workspace?: string;
}

/** In the words of a door; nothing where it has none to add. */
export type WordAdvice = (advice: Advice) => string | undefined;
