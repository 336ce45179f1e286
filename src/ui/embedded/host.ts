/** What a host tells of itself, as far as it is used here. */
export interface HostContext {
  readonly theme?: "light" | "dark";
  readonly toolInfo?: { readonly tool?: { readonly name?: string } };
}

/** The program that shows this view in a frame: JSON-RPC by messages between the two windows. */
export interface Host {
  /** Says hello; nothing else is said before. */
  greet(): Promise<HostContext>;
  request<T>(method: string, params: object): Promise<T>;
  notify(method: string, params: object): void;
  /** Hears what the host tells; one listener for each method. */
  on(method: string, listener: (params: unknown) => void): void;
}

/** An answer that says no. */
export class HostProblem extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code?: number; readonly message?: string };
}

interface Waiting {
  resolve(result: unknown): void;
  reject(problem: HostProblem): void;
}

const protocolVersion = "2026-01-26";
/** A host that has not answered by then does not answer. */
const answerMs = 30_000;

export function connectHost(own: Window, version: string): Host {
  const { parent } = own;
  const waiting = new Map<number | string, Waiting>();
  const listeners = new Map<string, (params: unknown) => void>();
  let last = 0;
  // Who the host is can't be known from here; what is asked for is no secret to whoever shows the view.
  const post = (message: object): void => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const answer = ({ id, method = "" }: Message): void => {
    if (method === "ping" || method === "ui/resource-teardown") post({ id, result: {} });
    else post({ id, error: { code: -32601, message: `There is no method '${method}' here.` } });
  };
  const settle = ({ id = "", result, error }: Message): void => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asked?.resolve(result);
    else asked?.reject(new HostProblem(error.code ?? 0, error.message ?? "The client says no."));
  };
  own.addEventListener("message", ({ source, data }: MessageEvent<unknown>) => {
    const message = data as Message | null;
    if (source !== parent || typeof message !== "object" || message?.jsonrpc !== "2.0") return;
    if (message.method === undefined) settle(message);
    else if (message.id === undefined) listeners.get(message.method)?.(message.params);
    else {
      listeners.get(message.method)?.(message.params);
      answer(message);
    }
  });
  const request = <T>(method: string, params: object): Promise<T> =>
    new Promise((resolve, reject) => {
      const id = ++last;
      const timer = setTimeout(
        () => settle({ id, error: { code: 0, message: "The client does not answer." } }),
        answerMs,
      );
      waiting.set(id, {
        resolve(result) {
          clearTimeout(timer);
          resolve(result as T);
        },
        reject(problem) {
          clearTimeout(timer);
          reject(problem);
        },
      });
      post({ id, method, params });
    });
  return {
    async greet() {
      const { hostContext = {} } = await request<{ readonly hostContext?: HostContext }>("ui/initialize", {
        protocolVersion,
        appInfo: { name: "frond-run", version },
        appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
      });
      post({ method: "ui/notifications/initialized", params: {} });
      return hostContext;
    },
    request,
    notify: (method, params) => post({ method, params }),
    on: (method, listener) => void listeners.set(method, listener),
  };
}
