/** One call of a tool, with what its client can do. */
export interface Call {
  /** Comes when the client no longer waits. */
  readonly signal: AbortSignal;
  /** How long the client is kept waiting before it gets a task to look after; absent when it takes no tasks. */
  readonly taskAfterMs?: number;
  /** What the client calls itself, if it says so. */
  readonly client?: string;
  /** The span that the client calls in, as W3C Trace Context writes it. */
  readonly traceParent?: string;
  /** The client can put a form before a person. */
  readonly elicits: boolean;
  /** Told how far it has come; absent when the client did not ask for that. */
  readonly progress?: (done: number, total: number, message: string) => void;
}

/** Who starts a run by it, for people. */
export function starterOf({ client = "" }: Call): string {
  return `mcp ${client}`.trim();
}

/** Whether a client that no longer waits wants the run to end, too. */
export function wantsEnd({ reason }: AbortSignal): boolean {
  // A client that cancels says why, or nothing at all; a connection that broke comes as an error of the SDK's own.
  const isCancellation = typeof reason === "string" || (reason instanceof Error && reason.name === "AbortError");
  return isCancellation && !/timed?[ -]?out/i.test(String(reason));
}
