import type { BrowserTargetKind, TargetText } from "../../block/browsers.ts";
import { err, ok, type Result } from "../../util/result.ts";

export interface TargetProblem {
  readonly message: string;
  readonly fix?: string;
}

/**
 * What a target says: `role=button[name=Send]`, `text=...`, `label=...`, `placeholder=...`, or a CSS selector. A text in quotes is meant
 * as a whole.
 */
export function parseTarget(written: string): Result<BrowserTargetKind, TargetProblem> {
  const text = written.trim();
  if (text === "") return err({ message: "the target is empty." });
  if (/^(xpath\s*=|\/|\(\/|\.\.)/i.test(text)) {
    return err({
      message: "a target can't be an XPath.",
      fix: "Write a CSS selector, or `role=`, `text=` or `label=`.",
    });
  }
  const [, kind = "", rest = ""] = /^([a-z][a-z_-]*)\s*=\s*(.*)$/is.exec(text) ?? [];
  switch (kind.toLowerCase()) {
    case "role":
      return parseRole(rest);
    case "text":
    case "label":
    case "placeholder":
      return parseText(kind.toLowerCase() as "text", rest);
    case "css":
      return parseSelector(rest);
    case "":
      return parseSelector(text);
    default:
      return err({ message: `a target can't begin with '${kind}='.`, fix: suggestSelector(kind.toLowerCase(), rest) });
  }
}

function suggestSelector(kind: string, rest: string): string {
  if (kind === "id") return `Write \`#${rest}\`.`;
  if (kind === "class") return `Write \`.${rest}\`.`;
  const attribute = /^(test|data)/.test(kind) ? "data-testid" : kind;
  return `Write \`[${attribute}="${rest}"]\`, or \`role=\`, \`text=\`, \`label=\`, \`placeholder=\`.`;
}

function parseRole(text: string): Result<BrowserTargetKind, TargetProblem> {
  const [, role, name] = /^([^\s[\]]+)\s*(?:\[\s*name\s*=\s*(.*)\])?$/s.exec(text) ?? [];
  const form = "Write `role=button` or `role=button[name=Send]`.";
  if (role === undefined) return err({ message: "the target does not name a role.", fix: form });
  if (name === undefined) return ok({ by: "role", role });
  const read = readText(name);
  return read === undefined ? err({ message: "the name is empty.", fix: form }) : ok({ by: "role", role, name: read });
}

function parseText(by: "text" | "label" | "placeholder", text: string): Result<BrowserTargetKind, TargetProblem> {
  const read = readText(text);
  return read === undefined ? err({ message: `there is nothing after '${by}='.` }) : ok({ by, text: read });
}

function readText(written: string): TargetText | undefined {
  const text = written.trim();
  const [, , inQuotes] = /^(["'])(.*)\1$/s.exec(text) ?? [];
  const read = inQuotes === undefined ? { text, exact: false } : { text: inQuotes, exact: true };
  return read.text === "" ? undefined : read;
}

function parseSelector(selector: string): Result<BrowserTargetKind, TargetProblem> {
  const outside = selector.replaceAll(/\\.|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/gs, "");
  const isOpen = /["']/.test(outside) || !isBalanced(outside);
  if (selector === "" || isOpen) {
    return err({ message: `'${selector}' is not a whole CSS selector.`, fix: "Close its brackets and quotes." });
  }
  // To Playwright these divide selectors of several kinds.
  if (selector.includes(">>")) return err({ message: "a CSS selector has no '>>'.", fix: "Write a blank or `>`." });
  return ok({ by: "css", selector });
}

function isBalanced(text: string): boolean {
  const open: string[] = [];
  for (const bracket of text.replaceAll(/[^()[\]]/g, "")) {
    if (bracket === "(" || bracket === "[") open.push(bracket);
    else if (open.pop() !== (bracket === ")" ? "(" : "[")) return false;
  }
  return open.length === 0;
}
