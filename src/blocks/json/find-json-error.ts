import { quoteText } from "../../expression/format-value.ts";

export interface JsonError {
  /** Where reading could not go on. */
  readonly offset: number;
  readonly message: string;
}

/** What may come next. */
type Expected = "value" | "value or ]" | "name" | "name or }" | "colon" | "comma or ]" | "comma or }" | "end";

const inWords: Readonly<Record<Expected, string>> = {
  value: "a value",
  "value or ]": "a value or ]",
  name: "a name in double quotes",
  "name or }": "a name in double quotes or }",
  colon: "a colon",
  "comma or ]": "a comma or ]",
  "comma or }": "a comma or }",
  end: "nothing more",
};

/**
 * The first path at which a text stops being JSON. The language's own parser tells that path in some of its messages only, so
 * this reads a text again that it has refused.
 */
export function findJsonError(text: string): JsonError | undefined {
  const open: ("[" | "{")[] = [];
  let expected: Expected = "value";
  let offset = skipBlanks(text, 0);
  const afterValue = (): Expected => {
    const around = open.at(-1);
    return around === undefined ? "end" : around === "[" ? "comma or ]" : "comma or }";
  };
  for (; offset < text.length; offset = skipBlanks(text, offset)) {
    const start = offset;
    const wanted: Expected = expected;
    const character = text[start] as string;
    if (character === '"' && (wanted.startsWith("value") || wanted.startsWith("name"))) {
      const end = skipString(text, start);
      if (typeof end !== "number") return end;
      offset = end;
      expected = wanted.startsWith("name") ? "colon" : afterValue();
    } else if ((character === "[" || character === "{") && wanted.startsWith("value")) {
      open.push(character);
      offset++;
      expected = character === "[" ? "value or ]" : "name or }";
    } else if ((character === "]" || character === "}") && wanted.endsWith(`or ${character}`)) {
      open.pop();
      offset++;
      expected = afterValue();
    } else if (character === ":" && wanted === "colon") {
      offset++;
      expected = "value";
    } else if (character === "," && wanted.startsWith("comma")) {
      offset++;
      expected = wanted === "comma or ]" ? "value" : "name";
    } else {
      const end = wanted.startsWith("value") ? skipScalar(text, start) : start;
      if (end === start) return { offset, message: `expected ${inWords[wanted]}, found ${quoteWord(text, start)}` };
      offset = end;
      expected = afterValue();
    }
  }
  if (expected === "end") return undefined;
  return { offset, message: `expected ${inWords[expected]}, found the end` };
}

function skipBlanks(text: string, start: number): number {
  let offset = start;
  while (" \t\r\n".includes(text[offset] ?? "x")) offset++;
  return offset;
}

const escaped = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** Where a text ends that begins here. By hand, because it can be longer than what a pattern can go back over. */
export function skipString(text: string, start: number): number | JsonError {
  let offset = start + 1;
  for (;;) {
    const character = text[offset];
    if (character === undefined) return { offset: start, message: "the text that begins here does not end" };
    if (character === '"') return offset + 1;
    if (character < " ") {
      const what = character === "\n" || character === "\r" ? "a line break" : "a control character";
      return { offset, message: `${what} inside a text must be written as an escape` };
    }
    escaped.lastIndex = offset;
    if (character === "\\" && !escaped.test(text)) return { offset, message: "this is no escape that JSON knows" };
    offset = character === "\\" ? escaped.lastIndex : offset + 1;
  }
}

const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

function skipScalar(text: string, start: number): number {
  scalar.lastIndex = start;
  return scalar.test(text) ? scalar.lastIndex : start;
}

function quoteWord(text: string, start: number): string {
  const word = /^[\w.+-]{1,30}/.exec(text.slice(start, start + 30))?.[0];
  return quoteText(word ?? String.fromCodePoint(text.codePointAt(start) as number));
}
