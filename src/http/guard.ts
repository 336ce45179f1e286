import type { IncomingMessage } from "node:http";
import { allowedHosts, isAllowedOrigin, isLoopback } from "./allowed-hosts.ts";
import { compareWith } from "./compare-secrets.ts";
import type { Authorise, Endpoint, Refusal } from "./endpoint.ts";

/** The endpoint that a request is for, and why it gets no further, if it does not. */
export interface Judged {
  readonly endpoint: Endpoint | undefined;
  readonly refusal?: Refusal;
}

/**
 * Looks at a request before anything of its body is read. The order counts: a web page learns nothing but that it may not ask, and
 * whoever has no token nothing but that they need one, wherever there is no endpoint.
 */
export function createGuard(
  endpoints: readonly Endpoint[],
  authoriseOthers: Authorise,
  allowed: readonly string[],
): (request: IncomingMessage) => Judged {
  return (request) => {
    const endpoint = findEndpoint(endpoints, request.url?.split("?", 1)[0] ?? "");
    const refusal =
      checkNames(request, allowed) ??
      checkSite(request, endpoint?.takesLinks === true) ??
      (endpoint === undefined ? authoriseOthers : endpoint.authorise)?.(request) ??
      (endpoint === undefined ? nothingHere(endpoints) : checkMethod(request, endpoint)) ??
      endpoint?.checkHeaders?.(request);
    return { endpoint, ...(refusal === undefined ? {} : { refusal }) };
  };
}

/** The one of this very path, else the first whose path ends in a star and begins the same. */
function findEndpoint(endpoints: readonly Endpoint[], asked: string): Endpoint | undefined {
  const isBelow = (path: string): boolean => path.endsWith("/*") && `${asked}/`.startsWith(path.slice(0, -1));
  return endpoints.find(({ path }) => path === asked) ?? endpoints.find(({ path }) => isBelow(path));
}

function checkNames(request: IncomingMessage, allowed: readonly string[]): Refusal | undefined {
  const { origin } = request.headers;
  const [host, ...otherHosts] = request.headersDistinct.host ?? [];
  const { localAddress = "", localPort = 0 } = request.socket;
  const hosts = allowedHosts({ address: localAddress, port: localPort }, allowed);
  if (host === undefined || otherHosts.length > 0 || !hosts.has(host.toLowerCase())) {
    return { status: 403, code: "wrong-host", message: `This server is not reached under this name. ${allowAdvice}` };
  }
  return origin === undefined || isAllowedOrigin(origin, hosts) ? undefined : otherOrigin;
}

const allowAdvice = "The person who runs it can allow the name with `frond serve --http --allow-host NAME`.";
const otherOrigin: Refusal = {
  status: 403,
  code: "other-origin",
  message: "This server answers no pages of another origin.",
};

/**
 * What a browser says of the page that asks. One of another port of this machine is of the same site, so the browser sends our cookie
 * with all that it asks for, and no Origin where it can't read the answer. It may lead a person to the page, in a tab of its own.
 */
function checkSite({ headers }: IncomingMessage, takesLinks: boolean): Refusal | undefined {
  const { "sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": destination } = headers;
  if (site === undefined || site === "same-origin" || site === "none") return undefined;
  return takesLinks && mode === "navigate" && destination === "document" ? undefined : otherOrigin;
}

function nothingHere(endpoints: readonly Endpoint[]): Refusal {
  const served = endpoints.map(({ serves, path }) => `${serves} is served at ${path}.`);
  return { status: 404, code: "no-route", message: `Nothing is served at this address. ${served.join(" ")}` };
}

function checkMethod({ method = "" }: IncomingMessage, { methods }: Endpoint): Refusal | undefined {
  if (methods.includes(method)) return undefined;
  const allow = methods.join(", ");
  return { status: 405, code: "no-method", message: `There is no ${method} here, only ${allow}.`, headers: { allow } };
}

/** Lets in whoever shows the token. */
export function byToken(token: string, tokenFile: string): Authorise {
  const isToken = compareWith(token);
  return ({ headers: { authorization }, socket: { remoteAddress = "" } }) => {
    const [, given] = /^Bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
    return given !== undefined && isToken(given) ? undefined : needsToken(tokenFile, remoteAddress, given);
  };
}

/** Only who is on the same machine is told where to look. */
function needsToken(file: string, remoteAddress: string, given: string | undefined): Refusal {
  const place = isLoopback(remoteAddress) ? file : "the file http-token in the state directory of its machine";
  const message = given === undefined ? "This server wants a token" : "This is not the server's token";
  return {
    status: 401,
    code: "no-token",
    message: `${message}: send the header \`Authorization: Bearer TOKEN\`, with the token from ${place}.`,
    headers: { "www-authenticate": `Bearer realm="frond"${given === undefined ? "" : ', error="invalid_token"'}` },
  };
}
