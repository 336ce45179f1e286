import { TextDecoder } from "node:util";
import type { HttpResponse } from "../../block/ports.ts";
import { toValue, type Value, type ValueMap } from "../../expression/value.ts";
import { showWebAddress } from "../../util/web-address.ts";

/** What the block gives of an answer. */
export function readAnswer({ status, headers, body }: HttpResponse): ValueMap {
  const { "content-type": written } = headers;
  const type = typeof written === "string" ? written : "";
  const text = decode(body, type);
  return { status_code: status, headers, body: text, json: isJson(type) ? parse(text) : null };
}

/** Bytes that are no text in the given character set become replacement characters; an unknown set is read as UTF-8. */
function decode(body: Uint8Array, type: string): string {
  const decoder = decoderFor(/;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1]);
  // In two steps, because Node 20 takes windows-1252 for ISO 8859-1 when it decodes all at once.
  return decoder.decode(body, { stream: true }) + decoder.decode();
}

function decoderFor(charset: string | undefined): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

function isJson(type: string): boolean {
  return /^\s*[\w.+-]+\/([\w.+-]+\+)?json\s*(;|$)/i.test(type);
}

/** Null also for what is no JSON after all, or beyond what a value can hold: the text is there to see. */
function parse(text: string): Value {
  try {
    const value = toValue(JSON.parse(text));
    return value.ok ? value.value : null;
  } catch {
    return null;
  }
}

const longestReason = 300;

/** `HTTP 500 from https://example.com/path: what the server says`. */
export function explainStatus({ status, headers, url }: HttpResponse, { body, json }: ValueMap): string {
  const isPage = /^text\/html|xml/i.test(String(headers["content-type"] ?? ""));
  const said = json === null ? firstLine(String(body)) : JSON.stringify(json);
  const reason = said.length > longestReason ? `${said.slice(0, longestReason)}...` : said;
  return `HTTP ${status} from ${showWebAddress(new URL(url))}${reason === "" || isPage ? "" : `: ${reason}`}`;
}

function firstLine(text: string): string {
  return text.trimStart().split("\n", 1)[0]?.trimEnd() ?? "";
}
