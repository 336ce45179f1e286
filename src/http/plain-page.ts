import { createHash } from "node:crypto";
import { dataSecurity } from "./security.ts";

/** It loads nothing, so its look is in it, and allowed by its hash alone. */
const style =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:12vh auto;padding:0 1.5rem;color-scheme:light dark}h1{font-size:1.25rem}code{padding:.1em .3em;border:1px solid #8886;border-radius:4px}";

const headers: Readonly<Record<string, string>> = {
  ...dataSecurity,
  "content-security-policy": `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
};

/** A page of a few sentences, for those who have no other page to see. `more` stands in its head, as it is. */
export function plainPage(status: number, title: string, sentences: readonly string[], more = ""): Response {
  const body = [
    "<!doctype html>",
    `<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">${more}`,
    `<title>${escapeHtml(title)} - Frond</title><style>${style}</style>`,
    `<h1>${escapeHtml(title)}</h1>`,
    ...sentences.map((sentence) => `<p>${withCode(sentence)}`),
    "</html>\n",
  ];
  return new Response(body.join("\n"), { status, headers: { ...headers } });
}

/** What stands between backticks is something to type. */
function withCode(sentence: string): string {
  return escapeHtml(sentence).replaceAll(/`([^`]*)`/g, "<code>$1</code>");
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
