import { readFileSync, writeSync } from "node:fs";

/** What a server answers to the first requests of most clients; the build asks it. */
interface KnownAnswers {
  /** The versions of the protocol that are answered with themselves. */
  readonly protocolVersions: readonly string[];
  /** Of `initialize`, whatever the options of the server, without the version. */
  readonly hello: object;
  /** Of `tools/list`, if the server has the usual tools and the client shows no apps. */
  readonly tools: object;
}

type Id = string | number;

type Message = Readonly<Record<string, unknown>>;

/**
 * Answers what nearly every client says first: a plain hello, that it is ready, and a question for the tools. It says exactly what the
 * server would say; whatever is not sure to be so is not answered.
 */
export class Greeter {
  readonly #file: string;
  readonly #hasUsualTools: () => boolean;
  /** Each tells whether the next may follow. */
  readonly #steps = [
    (message: Message): boolean => this.#answerHello(message),
    (message: Message): boolean => isPlain(message, "notifications/initialized") && message.id === undefined,
    (message: Message): boolean => this.#answerTools(message),
  ];
  #known: KnownAnswers | undefined;
  #hello: Id | undefined;
  #hasListedTools = false;

  /** `file` holds the answers. */
  constructor(file: string, hasUsualTools: () => boolean) {
    this.#file = file;
    this.#hasUsualTools = hasUsualTools;
  }

  /** The id of the hello, once that is answered. */
  get hello(): Id | undefined {
    return this.#hello;
  }

  get hasListedTools(): boolean {
    return this.#hasListedTools;
  }

  /** Takes one line of the client. Tells whether it may take another: if not, that and all that follows is for the server. */
  take(line: string): boolean {
    try {
      return this.#steps.shift()?.(asRecord(JSON.parse(line))) ?? false;
    } catch {
      // No JSON, no build, or nobody who reads: the server says what there is to say.
      return false;
    }
  }

  #answerHello(message: Message): boolean {
    const known = JSON.parse(readFileSync(this.#file, "utf8")) as KnownAnswers;
    const hello = readHello(message, known.protocolVersions);
    if (hello === undefined) return false;
    const { id, protocolVersion } = hello;
    writeSync(1, answerLine(id, { protocolVersion, ...known.hello }));
    this.#hello = id;
    this.#known = known;
    return !hello.mayShowApps && this.#hasUsualTools();
  }

  #answerTools(message: Message): boolean {
    const { id } = message;
    if (this.#known === undefined || !isPlain(message, "tools/list") || !isId(id) || id === this.#hello) return false;
    // Longer than what a pipe is sure to take at once. A reader who is gone is noticed by the server.
    process.stdout.on("error", () => {}).write(answerLine(id, this.#known.tools));
    this.#hasListedTools = true;
    return false;
  }
}

function answerLine(id: Id, result: object): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`;
}

/** Without parameters, and of nothing but what every message has. */
function isPlain({ jsonrpc, method, params = {}, id: _, ...others }: Message, expected: string): boolean {
  const isEmpty = isRecord(params) && Object.keys(params).length === 0;
  return jsonrpc === "2.0" && method === expected && isEmpty && Object.keys(others).length === 0;
}

function isId(value: unknown): value is Id {
  return typeof value === "string" || Number.isSafeInteger(value);
}

interface Hello {
  readonly id: Id;
  readonly protocolVersion: string;
  /** A client with extensions may be one that shows apps, and is told of them. */
  readonly mayShowApps: boolean;
}

/** Only what the SDK is known to take; it says itself what is wrong with anything else. */
function readHello({ jsonrpc, id, method, params }: Message, versions: readonly string[]): Hello | undefined {
  if (jsonrpc !== "2.0" || method !== "initialize" || !isId(id)) return undefined;
  const { protocolVersion, capabilities, clientInfo, ...others } = asRecord(params);
  if (typeof protocolVersion !== "string" || !versions.includes(protocolVersion)) return undefined;
  if (Object.keys(others).length > 0 || !isClientInfo(clientInfo) || !areCapabilities(capabilities)) return undefined;
  return { id, protocolVersion, mayShowApps: asRecord(capabilities).extensions !== undefined };
}

function isClientInfo(value: unknown): boolean {
  const { name, version, title = "", description = "", websiteUrl = "", ...others } = asRecord(value);
  const texts = [name, version, title, description, websiteUrl];
  return texts.every((text) => typeof text === "string") && Object.keys(others).length === 0;
}

function areCapabilities(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return Object.entries(value).every(
    ([name, declared]) => isRecord(declared) && (knownCapabilities[name]?.(declared) ?? false),
  );
}

const holdsRecords = (declared: object): boolean => Object.values(declared).every(isRecord);
const holdsFlags = (declared: object): boolean => Object.values(declared).every((flag) => typeof flag === "boolean");

const knownCapabilities: Readonly<Record<string, (declared: object) => boolean>> = {
  elicitation: (declared) => holdsRecords(declared) && Object.values(declared).every(holdsFlags),
  experimental: holdsRecords,
  extensions: holdsRecords,
  roots: holdsFlags,
  sampling: holdsRecords,
};

function asRecord(value: unknown): Message {
  return isRecord(value) ? value : {};
}

function isRecord(value: unknown): value is Message {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
