import type { IncomingMessage } from "node:http";
import { err, ok, type Result } from "../util/result.ts";
import { allowedHosts, isAllowedOrigin, isLoopback } from "./allowed-hosts.ts";
import { compareWith } from "./compare-secrets.ts";
import type { Authorise, Endpoint, Refusal } from "./endpoint.ts";

/**
 * Looks at a request before anything of its body is read: the endpoint that it is for, or why there is none. The order counts: a web
 * page learns nothing but that it may not ask, and whoever has no token nothing but that they need one, wherever there is no endpoint.
 */
export function createGuard(
  endpoints: readonly Endpoint[],
  authoriseOthers: Authorise,
  allowed: readonly string[],
): (request: IncomingMessage) => Result<Endpoint, Refusal> {
  return (request) => {
    const { method = "", url = "" } = request;
    const misnamed = checkNames(request, allowed);
    if (misnamed !== undefined) return err(misnamed);
    const endpoint = findEndpoint(endpoints, url.split("?", 1)[0] ?? "");
    const unauthorised = (endpoint?.authorise ?? authoriseOthers)(request);
    if (unauthorised !== undefined) return err(unauthorised);
    if (endpoint === undefined) {
      const served = endpoints.map(({ serves, path }) => `${serves} is served at ${path}.`);
      return err({ status: 404, message: `There is nothing here. ${served.join(" ")}` });
    }
    if (!endpoint.methods.includes(method)) {
      const allow = endpoint.methods.join(", ");
      return err({ status: 405, message: `There is no ${method} here, only ${allow}.`, headers: { allow } });
    }
    const unfit = endpoint.checkHeaders?.(request);
    return unfit === undefined ? ok(endpoint) : err(unfit);
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
    return { status: 403, message: `This server is not reached under this name. ${allowAdvice}` };
  }
  if (origin !== undefined && !isAllowedOrigin(origin, hosts)) {
    return { status: 403, message: "This server answers no pages of another origin." };
  }
  return undefined;
}

const allowAdvice = "The person who runs it can allow the name with `frond serve --http --allow-host NAME`.";

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
    message: `${message}: send the header \`Authorization: Bearer TOKEN\`, with the token from ${place}.`,
    headers: { "www-authenticate": `Bearer realm="frond"${given === undefined ? "" : ', error="invalid_token"'}` },
  };
}
