import type { IncomingHttpHeaders } from "node:http";
import type { Http, HttpProblem, HttpRequest, HttpResponse } from "../../block/ports.ts";
import { privateRange } from "../../util/private-addresses.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { hostOf, readWebAddress, showWebAddress } from "../../util/web-address.ts";
import { checkedLookup, checkLiteral, type JudgeAddress, type Resolve, systemResolve } from "./checked-lookup.ts";
import { followRedirect, mostRedirects, redirectTarget, type Visit } from "./follow-redirect.ts";
import { explainHttpFailure, HttpFailure } from "./http-failure.ts";
import { readHttpBody } from "./read-http-body.ts";
import { sendHttpRequest } from "./send-http-request.ts";

export interface HttpOptions {
  readonly resolve?: Resolve;
  /** Says of an address why it is only for those who may reach private ones. */
  readonly judge?: JudgeAddress;
  /** To trust instead of the system's; in PEM. */
  readonly authorities?: readonly string[];
}

export function createHttp(options: HttpOptions = {}): Http {
  return { request: (request) => perform(request, options) };
}

/** Goes through redirects. Each visit passes the same checks, on a connection of its own that ends with it. */
async function perform(request: HttpRequest, options: HttpOptions): Promise<Result<HttpResponse, HttpProblem>> {
  const address = readWebAddress(request.url);
  if (!address.ok) return err({ kind: "refused", message: `The address can't be called: ${address.error}.` });
  let visit: Visit = { ...request, url: address.value };
  let redirects = 0;
  try {
    for (;;) {
      const came = await call(visit, request, options);
      if (came.kind === "response") return ok({ ...came.response, redirects });
      if (redirects === mostRedirects)
        throw new HttpFailure("bad-response", `redirects after ${mostRedirects} redirects, perhaps in a circle`);
      visit = followRedirect(visit, came.status, came.target);
      redirects++;
    }
  } catch (error) {
    if (request.signal.aborted) return err({ kind: "aborted", message: "aborted" });
    const via = redirects === 0 ? "" : ` (where ${showWebAddress(address.value)} redirects)`;
    return err(explainHttpFailure(error, `${showWebAddress(visit.url)}${via}`));
  }
}

type Came =
  | { readonly kind: "response"; readonly response: Omit<HttpResponse, "redirects"> }
  | { readonly kind: "redirect"; readonly status: number; readonly target: string };

async function call(visit: Visit, request: HttpRequest, options: HttpOptions): Promise<Came> {
  const { allowPrivate, followRedirects, signal, maxBytes } = request;
  const { resolve = systemResolve, judge = privateRange, authorities = [] } = options;
  const judgeHere: JudgeAddress = allowPrivate ? () => undefined : judge;
  checkLiteral(hostOf(visit.url), judgeHere);
  const message = await sendHttpRequest(visit, { lookup: checkedLookup(resolve, judgeHere), authorities, signal });
  try {
    const { statusCode: status = 0, headers } = message;
    const target = followRedirects ? redirectTarget(status, headers.location) : undefined;
    if (target !== undefined) return { kind: "redirect", status, target };
    // The headers of these speak of a body that does not come.
    const hasBody = visit.method !== "HEAD" && status !== 204 && status !== 304;
    const head = { status, headers: given(headers) };
    const body = hasBody ? await readHttpBody(message, maxBytes, request.streamBody?.(head)) : new Uint8Array();
    return { kind: "response", response: { ...head, body, url: visit.url.href } };
  } finally {
    message.destroy();
  }
}

function given(headers: IncomingHttpHeaders): HttpResponse["headers"] {
  return Object.fromEntries(Object.entries(headers).map(([name, value = ""]) => [name, value]));
}
