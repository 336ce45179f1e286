import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isJsonContentType } from "@modelcontextprotocol/server";
import { allowedHosts, isAllowedOrigin, isLoopback } from "./allowed-hosts.ts";

export const endpoint = "/mcp";

/** Why a request gets no further. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface GuardOptions {
  readonly token: string;
  readonly tokenFile: string;
  readonly allowedHosts: readonly string[];
}

/**
 * Looks at a request before anything of its body is read. The order counts: a web page learns nothing but that it may not ask, and
 * whoever has no token nothing but that they need one.
 */
export function createGuard(options: GuardOptions): (request: IncomingMessage) => Refusal | undefined {
  const isToken = compareWith(options.token);
  return (request) => {
    const { origin, authorization } = request.headers;
    const [host, ...otherHosts] = request.headersDistinct.host ?? [];
    const { localAddress = "", localPort = 0, remoteAddress = "" } = request.socket;
    const hosts = allowedHosts({ address: localAddress, port: localPort }, options.allowedHosts);
    if (host === undefined || otherHosts.length > 0 || !hosts.has(host.toLowerCase())) {
      return { status: 403, message: `This server is not reached under this name. ${allowAdvice}` };
    }
    if (origin !== undefined && !isAllowedOrigin(origin, hosts)) {
      return { status: 403, message: "This server answers no pages of another origin." };
    }
    const [, given] = /^Bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
    if (given === undefined || !isToken(given)) return needsToken(options.tokenFile, remoteAddress, given);
    return checkShape(request);
  };
}

const allowAdvice = "Whoever runs it can allow the name with `frond serve --http --allow-host NAME`.";

/** Only who is on the same machine is told where to look. */
function needsToken(file: string, remoteAddress: string, given: string | undefined): Refusal {
  const place = isLoopback(remoteAddress) ? file : "the file http-token in the state directory of its machine";
  const message = given === undefined ? "This server wants a token" : "This is not the server's token";
  return {
    status: 401,
    message: `${message}: send the header \`Authorization: Bearer TOKEN\`, with the token from ${place}.`,
    headers: { "www-authenticate": `Bearer realm="frond"${given === undefined ? "" : ', error="invalid_token"'}` },
  };
}

const methods = ["GET", "POST", "DELETE"];

function checkShape({ method = "", url = "", headers }: IncomingMessage): Refusal | undefined {
  if (url.split("?", 1)[0] !== endpoint) {
    return { status: 404, message: `There is nothing here. MCP is served at ${endpoint}.` };
  }
  if (!methods.includes(method)) {
    const allow = methods.join(", ");
    return { status: 405, message: `There is no ${method} here, only ${allow}.`, headers: { allow } };
  }
  if (method === "POST" && !isJsonContentType(headers["content-type"])) {
    return { status: 415, message: "Send JSON, with the header `Content-Type: application/json`." };
  }
  return undefined;
}

/** Takes the same time whatever is compared with the secret. */
function compareWith(secret: string): (given: string) => boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  const wanted = digest(secret);
  return (given) => timingSafeEqual(digest(given), wanted);
}
