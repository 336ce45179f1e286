import type { IncomingMessage } from "node:http";

/** Something that is served under a path of its own. */
export interface Endpoint {
  /** With `/*` at its end, of everything below it that has no endpoint of its own. */
  readonly path: string;
  /** What it serves, for those who look for it elsewhere. */
  readonly serves: string;
  readonly methods: readonly string[];
  /** Whoever it lets in keeps their connection when there are too many. */
  readonly authorise: Authorise;
  /** Why it does not take a request of one of its methods; nothing of the body has been read. */
  checkHeaders?(request: IncomingMessage): Refusal | undefined;
  /** Hears of a request before its body is read; what it gives is called when the answer has ended. */
  hold?(request: IncomingMessage): () => void;
  fetch(request: Request): Promise<Response>;
  /** Ends the streams that are listened to. */
  close(): Promise<void>;
}

/** Why somebody may not come in. */
export type Authorise = (request: IncomingMessage) => Refusal | undefined;

/** Why a request gets no further. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}
