import type { HttpProblem, HttpRequest, HttpResponse } from "../../src/block/ports.ts";
import { createHttp, type HttpOptions } from "../../src/platform/http/http.ts";
import type { Result } from "../../src/util/result.ts";

export const maxBytes = 10_000_000;

/** A request that may reach this machine, unless it says otherwise. */
async function request(
  url: string,
  more: Partial<HttpRequest> = {},
  options: HttpOptions = {},
): Promise<Result<HttpResponse, HttpProblem>> {
  const { signal } = new AbortController();
  const rules = { followRedirects: true, allowPrivate: true, maxBytes };
  return createHttp(options).request({ method: "GET", url, headers: {}, signal, ...rules, ...more });
}

export async function answerOf(...args: Parameters<typeof request>): Promise<HttpResponse & { readonly text: string }> {
  const answer = await request(...args);
  if (!answer.ok) throw new Error(answer.error.message);
  return { ...answer.value, text: Buffer.from(answer.value.body).toString() };
}

export async function problemOf(...args: Parameters<typeof request>): Promise<HttpProblem> {
  const answer = await request(...args);
  if (answer.ok) throw new Error(`There was an answer: ${answer.value.status}`);
  return answer.error;
}
