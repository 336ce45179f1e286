import type { IncomingMessage } from "node:http";
import type { RequestOptions } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { hostOf } from "../../util/web-address.ts";
import type { Visit } from "./follow-redirect.ts";
import { HttpFailure } from "./http-failure.ts";

export interface Connecting {
  readonly lookup: LookupFunction;
  /** Authorities to trust instead of the system's, if any; in PEM. */
  readonly authorities: readonly string[];
  readonly signal: AbortSignal;
}

const defaultHeaders: Readonly<Record<string, string>> = {
  accept: "*/*",
  "accept-encoding": "gzip, deflate, br",
  "user-agent": "frond",
};

const mostHeaderBytes = 64 * 1024;

/**
 * One request on a connection of its own, through no proxy. Resolves when the headers have come; the body then fails with
 * whatever goes wrong with the connection. Rejects with the errors of Node and of the lookup.
 */
export async function sendHttpRequest(
  visit: Visit,
  { lookup, authorities, signal }: Connecting,
): Promise<IncomingMessage> {
  const { url, method, body } = visit;
  const host = hostOf(url);
  const options: RequestOptions = {
    method,
    host,
    port: url.port,
    path: `${url.pathname}${url.search}`,
    headers: { ...defaultHeaders, ...visit.headers, ...(body === undefined ? {} : { "content-length": body.length }) },
    lookup,
    signal,
    agent: false,
    maxHeaderSize: mostHeaderBytes,
    // Whatever `Host` the author asks for, the certificate is to be that of the address.
    servername: isIP(host) === 0 ? host : "",
    rejectUnauthorized: true,
    ...(authorities.length === 0 ? {} : { ca: [...authorities] }),
  };
  // Loaded on first use: most commands never call anybody.
  const { request: start } = process.getBuiltinModule(url.protocol === "https:" ? "node:https" : "node:http");
  return new Promise((resolve, reject) => {
    const request = start(options);
    let response: IncomingMessage | undefined;
    request.on("response", (incoming) => {
      response = incoming;
      resolve(incoming);
    });
    request.on("error", (error) => {
      // A server may close the connection when it has said all it has to say, whatever is still being sent.
      if (response?.complete !== true) response?.destroy(error);
      reject(error);
    });
    // Some ends make no error, such as that of a server that goes over to another protocol.
    request.on("close", () => reject(new HttpFailure("bad-response", "ends the connection without an answer in HTTP")));
    request.end(body);
  });
}
