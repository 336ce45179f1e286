import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import type { Range, Source } from "../diagnostic/source.ts";
import { defined } from "../util/defined.ts";
import { explainLayout } from "./explain-yaml-layout.ts";

export interface YamlError {
  readonly code: string;
  readonly message: string;
  readonly pos: readonly [number, number];
}

/** What the YAML parser says, in words of ours; the slips that are made most are told apart from other bad syntax. */
export function explainYamlError(source: Source, error: YamlError): Diagnostic {
  const { text } = source;
  const [at, end] = error.pos;
  if (text.startsWith("!${", at - 2)) return customTag("!${", rangeIn(source, at - 2, at + 1));
  if (text.startsWith("${", at - 1)) {
    const close = text.indexOf("}", at);
    return quoteThis(
      "An unquoted ${...} stands inside { } or [ ].",
      "There YAML reads the braces as a map of its own.",
      `Quote this value, e.g. { key: "\${inputs.name}" }.`,
      rangeIn(source, at - 1, close === -1 ? at + 1 : close + 1),
    );
  }
  const layout = explainLayout(source, error);
  if (layout !== undefined) return layout;
  if (error.code === "BLOCK_AS_IMPLICIT_KEY" || error.code === "BLOCK_IN_FLOW") {
    const lineEnd = /$/m.exec(text.slice(at))?.index ?? 0;
    const value = text.slice(at, error.code === "BLOCK_IN_FLOW" ? end : at + lineEnd).trimEnd();
    return quoteThis(
      "An unquoted value holds a colon followed by a space.",
      "YAML reads `: ` as the start of a nested map.",
      "Quote this value, or write it as a block with `|` on the next lines.",
      rangeIn(source, at, at + value.length),
    );
  }
  if (error.code === "BAD_SCALAR_START") {
    const message = `An unquoted value can't start with ${text[at]} in YAML.`;
    return quoteThis(message, undefined, "Quote this value.", rangeIn(source, at, end));
  }
  const quote = text.slice(0, at).trimEnd().at(-1);
  if (error.code === "UNEXPECTED_TOKEN" && (quote === "'" || quote === '"')) {
    return quoteThis(
      `The value ends at its second ${quote}, but the line goes on.`,
      undefined,
      `Quote this value as a whole, with ${quote === '"' ? "'" : '"'} around it, or write it as a block with \`|\` on the next lines.`,
      rangeIn(source, at, end),
    );
  }
  if (error.code === "TAB_AS_INDENT") {
    return {
      code: "tab-indent",
      level: "error",
      message: "The line is indented with a tab.",
      fix: "Indent with spaces: YAML allows no tabs there.",
      range: rangeIn(source, at, end),
    };
  }
  const said = (error.message.split("\n")[0] ?? "").replace(/ at line \d+, column \d+:?$/, "");
  const message = `This is not valid YAML: ${said}.`;
  return { code: "yaml-syntax", level: "error", message, range: rangeIn(source, at, end) };
}

/** Where a ! opens a value it is hardly ever meant as a tag. */
export function customTag(tag: string, range: Range): Diagnostic {
  const negated = /^!(?:$|\$|[a-z]+[.[(])/.test(tag);
  const path = /^!\w+\./.test(tag) ? tag.slice(1) : "...";
  return {
    code: "custom-tag",
    level: "error",
    message: `The tag ${tag} is not part of the language.`,
    ...(negated ? { why: "In YAML a value that starts with ! has a tag." } : {}),
    fix: negated ? `To negate, write \`not ${path}\`.` : "Remove the tag.",
    range,
  };
}

function quoteThis(message: string, why: string | undefined, fix: string, range: Range): Diagnostic {
  return { code: "quote-this-value", level: "error", message, ...defined({ why }), fix, range };
}

/** The parser points past the end when something is missing there. */
function rangeIn(source: Source, start: number, end: number): Range {
  const { length } = source.text;
  return { source, start: Math.min(start, length), end: Math.min(Math.max(end, start + 1), length) };
}
