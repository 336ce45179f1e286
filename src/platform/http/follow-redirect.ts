import type { HttpRequest } from "../../block/ports.ts";
import { defined } from "../../util/defined.ts";
import { readWebAddress } from "../../util/web-address.ts";
import { HttpFailure } from "./http-failure.ts";

/** One of the requests that a request becomes on its way through redirects. */
export interface Visit extends Pick<HttpRequest, "method" | "headers" | "secretHeaders" | "body"> {
  readonly url: URL;
}

export const mostRedirects = 10;

/** Where a response sends the visitor on, if it does. */
export function redirectTarget(status: number, location: string | undefined): string | undefined {
  return [301, 302, 303, 307, 308].includes(status) ? location : undefined;
}

/**
 * The visit that follows. What a browser would turn into a GET becomes one. Another origin, which includes the same host without
 * TLS, gets no body, and only headers that can't be credentials: a name says too little for the opposite rule. A header that holds
 * a secret stays behind whatever its name is. Without its body a request would be another one, so it is not sent at all.
 */
export function followRedirect(visit: Visit, status: number, target: string): Visit {
  const { url, method, headers, body, ...rest } = visit;
  const next = readWebAddress(target, url);
  if (!next.ok) throw new HttpFailure("refused", `redirects to an address that is refused: ${next.error}`);
  const becomesGet = status === 303 ? !["GET", "HEAD"].includes(method) : status <= 302 && method === "POST";
  const isElsewhere = next.value.origin !== url.origin;
  const kept = becomesGet ? undefined : body;
  if (isElsewhere && kept !== undefined && kept.length > 0) throw new HttpFailure("refused", explainBody(next.value));
  const staysBehind = (name: string): boolean =>
    (becomesGet && aboutBody.has(name)) ||
    (isElsewhere && (!harmless.has(name) || rest.secretHeaders?.has(name) === true));
  return {
    ...rest,
    url: next.value,
    method: becomesGet ? "GET" : method,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !staysBehind(name))),
    ...defined({ body: kept }),
  };
}

function explainBody({ origin }: URL): string {
  return (
    `redirects to another origin, ${origin}, and a body is sent only to the origin that it is meant for. ` +
    "Call the other address itself if you trust it, or set `follow_redirects: false` to get the redirect as the answer."
  );
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
