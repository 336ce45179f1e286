import type { HttpRequest } from "../block/ports.ts";
import { readWebAddress } from "../util/web-address.ts";
import { HttpFailure } from "./http-failure.ts";

/** One of the requests that a request becomes on its way through redirects. */
export interface Visit extends Pick<HttpRequest, "method" | "headers" | "body"> {
  readonly url: URL;
}

export const mostRedirects = 10;

/** Where a response sends the visitor on, if it does. */
export function redirectTarget(status: number, location: string | undefined): string | undefined {
  return [301, 302, 303, 307, 308].includes(status) ? location : undefined;
}

/**
 * The visit that follows. What a browser would turn into a GET becomes one. To another origin, which includes the same host
 * without TLS, only headers are taken along that can't be credentials: a name says too little for the opposite rule.
 */
export function followRedirect({ url, method, headers, body }: Visit, status: number, target: string): Visit {
  const next = readWebAddress(target, url);
  if (!next.ok) throw new HttpFailure("refused", `redirects to an address that is refused: ${next.error}`);
  const becomesGet = status === 303 ? !["GET", "HEAD"].includes(method) : status <= 302 && method === "POST";
  const kept = Object.entries(headers).filter(
    ([name]) => (next.value.origin === url.origin || isHarmless(name)) && !(becomesGet && aboutBody.has(name)),
  );
  return {
    url: next.value,
    method: becomesGet ? "GET" : method,
    headers: Object.fromEntries(kept),
    ...(becomesGet || body === undefined ? {} : { body }),
  };
}

/** And what makes it safe to send it twice. */
const aboutBody: ReadonlySet<string> = new Set([
  "content-encoding",
  "content-language",
  "content-location",
  "content-type",
  "idempotency-key",
]);

const harmless: ReadonlySet<string> = new Set([
  ...aboutBody,
  "accept",
  "accept-charset",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "if-match",
  "if-modified-since",
  "if-none-match",
  "if-range",
  "if-unmodified-since",
  "pragma",
  "prefer",
  "range",
  "user-agent",
]);

function isHarmless(name: string): boolean {
  return harmless.has(name);
}
