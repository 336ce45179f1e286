import { fstatSync, readFileSync, writeSync } from "node:fs";

/** What a server answers to `initialize`, whatever its options; the build asks it. */
export interface Greeting {
  /** The versions of the protocol that are answered with themselves. */
  readonly protocolVersions: readonly string[];
  readonly result: object;
}

/** The id of a request that has been answered already. */
export type Greeted = string | number;

/**
 * Answers a client that has said hello by now, before the server is loaded: many ask for nothing else for a while, and wait for this.
 * What the client sent stays to be read, because the server has to know its client; it must not answer that request again. Anything but
 * a plain hello is left to the server.
 */
export async function greet(file: string): Promise<Greeted | undefined> {
  if (!isConnection(0)) return undefined;
  const said = await readWhatIsThere();
  const [line, ...rest] = said.toString("utf8").split("\n");
  if (rest.length === 0 || line === undefined) return undefined;
  try {
    const greeting = JSON.parse(readFileSync(file, "utf8")) as Greeting;
    const hello = readHello(JSON.parse(line), greeting.protocolVersions);
    if (hello === undefined) return undefined;
    const { id, protocolVersion } = hello;
    writeSync(1, `${JSON.stringify({ jsonrpc: "2.0", id, result: { protocolVersion, ...greeting.result } })}\n`);
    return id;
  } catch {
    // No JSON, no build, or nobody who reads: the server says what there is to say.
    return undefined;
  }
}

function isConnection(descriptor: number): boolean {
  try {
    const stat = fstatSync(descriptor);
    return stat.isFIFO() || stat.isSocket();
  } catch {
    return false;
  }
}

/** What has arrived on standard input, and stays there for whoever reads next. */
function readWhatIsThere(): Promise<Buffer> {
  const { stdin } = process;
  return new Promise((resolve) => {
    const look = (): void => {
      stdin.off("readable", look);
      clearImmediate(giveUp);
      const chunk = stdin.read() as Buffer | null;
      if (chunk !== null) stdin.unshift(chunk);
      resolve(chunk ?? Buffer.alloc(0));
    };
    stdin.on("readable", look);
    // The event loop has looked at it once by then.
    let giveUp = setImmediate(() => {
      giveUp = setImmediate(look);
    });
  });
}

interface Hello {
  readonly id: Greeted;
  readonly protocolVersion: string;
}

/** Only what the SDK is known to take; it says itself what is wrong with anything else. */
function readHello(message: unknown, versions: readonly string[]): Hello | undefined {
  const { jsonrpc, id, method, params } = asRecord(message);
  if (jsonrpc !== "2.0" || method !== "initialize" || !(typeof id === "string" || Number.isSafeInteger(id)))
    return undefined;
  const { protocolVersion, capabilities, clientInfo, ...others } = asRecord(params);
  if (typeof protocolVersion !== "string" || !versions.includes(protocolVersion)) return undefined;
  if (Object.keys(others).length > 0 || !isClientInfo(clientInfo) || !areCapabilities(capabilities)) return undefined;
  return { id: id as Greeted, protocolVersion };
}

function isClientInfo(value: unknown): boolean {
  const { name, version, title = "", description = "", websiteUrl = "", ...others } = asRecord(value);
  const texts = [name, version, title, description, websiteUrl];
  return texts.every((text) => typeof text === "string") && Object.keys(others).length === 0;
}

function areCapabilities(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return Object.entries(value).every(
    ([name, declared]) => isRecord(declared) && (capabilities[name]?.(declared) ?? false),
  );
}

const holdsRecords = (declared: object): boolean => Object.values(declared).every(isRecord);
const holdsFlags = (declared: object): boolean => Object.values(declared).every((flag) => typeof flag === "boolean");

const capabilities: Readonly<Record<string, (declared: object) => boolean>> = {
  elicitation: (declared) => holdsRecords(declared) && Object.values(declared).every(holdsFlags),
  experimental: holdsRecords,
  extensions: holdsRecords,
  roots: holdsFlags,
  sampling: holdsRecords,
};

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
