import type { InputProblem, Written, WrittenInputs } from "../../block/define-block.ts";
import { isMap } from "../../expression/value.ts";
import { privateRange } from "../../util/private-addresses.ts";
import { hostOf, readWebAddress } from "../../util/web-address.ts";
import { headerNameProblem, headerValueProblem } from "./request-headers.ts";

/** What can be said of a call before it runs. */
export function checkHttpCall(written: WrittenInputs): InputProblem[] {
  return [...checkContent(written), ...checkAddress(written, "url"), ...checkHeaders(written.headers)];
}

function checkContent({ method, json, body }: WrittenInputs): InputProblem[] {
  if (json !== undefined && body !== undefined) {
    const message = "HttpCall takes either json or body, not both.";
    return [{ code: "json-or-body", level: "error", message, fix: "Remove one of them.", input: "body" }];
  }
  const input = json === undefined ? "body" : "json";
  const written = method === undefined ? "GET" : method.known && method.value;
  if ((json ?? body) === undefined || (written !== "GET" && written !== "HEAD")) return [];
  const message = `a ${written} request has no use for ${input}: most servers ignore it.`;
  return [{ code: "content-of-get", level: "warning", message, fix: "Add `method: POST` or what is meant.", input }];
}

/** Of the input that holds an address, beside `allow_private`. */
export function checkAddress(written: WrittenInputs, input: string): InputProblem[] {
  const { [input]: url, allow_private: allowed } = written;
  if (url?.known && typeof url.value === "string") {
    const address = readWebAddress(url.value);
    if (!address.ok) {
      const message = `the ${input} can't be called: ${address.error}.`;
      return [{ code: "bad-url", level: "error", message, ...suggestAddress(url.value), input }];
    }
  }
  const mayBeAllowed = allowed !== undefined && !(allowed.known && allowed.value === false);
  const host = url === undefined || mayBeAllowed ? undefined : writtenHost(url);
  const range = host === undefined ? undefined : hostRange(host);
  if (range === undefined) return [];
  const message = `'${host}' is ${range}, which is refused.`;
  const fix = "Say `allow_private: true` if that is meant.";
  return [{ code: "private-address", level: "error", message, fix, input }];
}

function suggestAddress(text: string): { readonly fix?: string } {
  if (/^https?:\/\/[^/?#]*@/i.test(text)) {
    return { fix: "Remove them, and add `headers: { Authorization: ... }`." };
  }
  const isWithoutScheme = /^[\w.-]+(:\d+)?([/?#]|$)/.test(text) && URL.canParse(`https://${text}`);
  return isWithoutScheme ? { fix: `Write https://${text} or http://${text}.` } : {};
}

/** The host, when it is written out, whatever else of the address is only known later. */
function writtenHost(url: Written): string | undefined {
  const written = url.known ? url.value : url.pieces?.[0];
  if (typeof written !== "string") return undefined;
  const text = url.known ? `${written}/` : written;
  const origin = /^\s*https?:\/\/(\[[^\]@]*\]|[^/?#:@[\]\\]+)(?=[:/?#\\])/i.exec(text)?.[0];
  return origin !== undefined && URL.canParse(origin) ? hostOf(new URL(origin)) : undefined;
}

/** Of a name, only those that always mean this machine are known without asking the network. */
function hostRange(host: string): string | undefined {
  if (/(^|\.)localhost\.?$/.test(host)) return privateRange("127.0.0.1");
  return /^[\d.]+$|:/.test(host) ? privateRange(host) : undefined;
}

function checkHeaders(headers: Written | undefined): InputProblem[] {
  return headerEntries(headers).flatMap(([name, value]): InputProblem[] => {
    const known = value.known ? headerValueProblem(name, value.value) : undefined;
    const message = headerNameProblem(name) ?? known;
    return message === undefined ? [] : [{ code: "bad-header", level: "error", message, input: "headers" }];
  });
}

function headerEntries(headers: Written | undefined): readonly (readonly [string, Written])[] {
  if (headers === undefined) return [];
  if (!headers.known) return headers.entries ?? [];
  if (!isMap(headers.value)) return [];
  return Object.entries(headers.value).map(([name, value]) => [name, { known: true, value }]);
}
