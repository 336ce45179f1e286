import { randomUUID } from "node:crypto";
import {
  isInitializeRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { cancelledId } from "../mcp/cancelled-id.ts";
import { rpcError } from "./rpc-error.ts";

/** More than one machine's clients open; each is one server object and what it is waiting for. */
const mostSessions = 100;
/** Clients forget to say goodbye. One that comes back later opens another session, as the protocol has it. */
const idleMs = 30 * 60 * 1000;
const sweepMs = 60 * 1000;

interface Session {
  readonly id: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: Server;
  /** Requests that are being answered, and streams that are listened to. */
  open: number;
  usedAt: number;
  /** Whether its client has said that it is ready. Before that it is told nothing that it has not asked for. */
  isReady: boolean;
}

export const sessionHeader = "mcp-session-id";

/**
 * The clients of the old era, each with a server object that remembers who they are. What is run for them belongs to nobody: it goes
 * on when a session ends.
 */
export class Sessions {
  readonly #createServer: () => Server;
  readonly #report: (error: Error) => void;
  readonly #sessions = new Map<string, Session>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(createServer: () => Server, report: (error: Error) => void) {
    this.#createServer = createServer;
    this.#report = report;
    this.#sweeper = setInterval(() => this.#closeIdle(), sweepMs).unref();
  }

  async serve(request: Request, body: unknown): Promise<Response> {
    const options = body === undefined ? {} : { parsedBody: body };
    const id = request.headers.get(sessionHeader);
    if (id !== null) {
      const session = this.#sessions.get(id);
      if (session === undefined) return rpcError(404, sessionGone);
      session.usedAt = performance.now();
      const response = await session.transport.handleRequest(request, options);
      const cancelled = cancelledId(body);
      // It gets no answer any more, and without an end its client would listen for one for ever.
      if (cancelled !== undefined) session.transport.closeSSEStream(cancelled);
      return response;
    }
    if (!isInitializeRequest(body))
      return rpcError(400, `The header ${sessionHeader} is missing: begin with initialize.`);
    if (this.#sessions.size >= mostSessions && !this.#closeOldest()) return rpcError(503, tooMany);
    return this.#open(request, body);
  }

  /** Counts from the start, so that however many are opened at once, there are never too many. */
  async #open(request: Request, body: unknown): Promise<Response> {
    const id = randomUUID();
    const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id });
    const server = this.#createServer();
    const session: Session = { id, transport, server, open: 1, usedAt: performance.now(), isReady: false };
    server.oninitialized = () => {
      session.isReady = true;
    };
    this.#sessions.set(id, session);
    let isOpen = false;
    try {
      await server.connect(transport);
      const { onclose } = transport;
      transport.onclose = () => {
        this.#sessions.delete(id);
        onclose?.();
      };
      transport.onerror = this.#report;
      const response = await transport.handleRequest(request, { parsedBody: body });
      isOpen = response.ok;
      return response;
    } finally {
      session.open -= 1;
      if (!isOpen) this.#end(session);
    }
  }

  /** Keeps a session from being idle until the function that it gives is called. */
  hold(id: string): () => void {
    const session = this.#sessions.get(id);
    if (session === undefined) return () => {};
    session.open += 1;
    return () => {
      session.open -= 1;
      session.usedAt = performance.now();
    };
  }

  /** The server objects of those that are connected. */
  servers(): readonly Server[] {
    return [...this.#sessions.values()].map(({ server }) => server);
  }

  /** Of those whose clients are ready to be told something. */
  readyServers(): readonly Server[] {
    return [...this.#sessions.values()].flatMap(({ server, isReady }) => (isReady ? [server] : []));
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.all(this.servers().map((server) => server.close()));
  }

  #closeIdle(): void {
    const longAgo = performance.now() - idleMs;
    for (const session of this.#sessions.values()) {
      if (session.open === 0 && session.usedAt < longAgo) this.#end(session);
    }
  }

  #closeOldest(): boolean {
    const idle = [...this.#sessions.values()].filter(({ open }) => open === 0);
    const [oldest] = idle.sort((one, other) => one.usedAt - other.usedAt);
    if (oldest === undefined) return false;
    this.#end(oldest);
    return true;
  }

  #end({ id, server }: Session): void {
    this.#sessions.delete(id);
    server.close().catch(this.#report);
  }
}

const sessionGone = "This session is unknown or has ended: begin a new one with initialize.";
const tooMany = `This server has ${mostSessions} sessions, all of them in use. End one with DELETE, or try again later.`;
