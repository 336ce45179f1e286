import type { IncomingMessage } from "node:http";

/** Something that is served under a path of its own. */
export interface Endpoint {
  /** With `/*` at its end, of everything below it that has no endpoint of its own. */
  readonly path: string;
  /** What it serves, for those who look for it elsewhere. */
  readonly serves: string;
  readonly methods: readonly string[];
  /** Who may come in. Absent where everybody may; they are strangers all the same. */
  readonly authorise?: Authorise;
  /** A link on another site may lead a person here. Everything else that a page of another origin sends is refused. */
  readonly takesLinks?: true;
  /** Why it does not take a request of one of its methods; nothing of the body has been read. */
  checkHeaders?(request: IncomingMessage): Refusal | undefined;
  /** Hears of a request before its body is read; what it gives is called when the answer has ended. */
  hold?(request: IncomingMessage): () => void;
  /** `over` comes when nobody waits for the answer any more, because it has been sent, the reader has gone or the server closes. */
  fetch(request: Request, over: AbortSignal): Promise<Response>;
  /** Says it in the form that those read who ask here. */
  refuse(refusal: Refusal): Response;
  /** Ends the streams that are listened to. */
  close?(): Promise<void>;
}

/** Why somebody may not come in. */
export type Authorise = (request: IncomingMessage) => Refusal | undefined;

/** Why a request gets no further. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}
