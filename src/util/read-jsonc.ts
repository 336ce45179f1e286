import { err, ok, type Result } from "./result.ts";

/** A value in a JSON text, and where it stands. */
export interface JsoncNode {
  readonly start: number;
  readonly end: number;
  readonly value: unknown;
  /** Of an object; of two with one name the last counts. */
  readonly members?: ReadonlyMap<string, JsoncNode>;
}

/** JSON as people and models write it: with comments, a comma after the last member, and lines that are broken inside of texts. */
export function readJsoncDocument(text: string): Result<JsoncNode, string> {
  const reader = new Reader(text, 0);
  const node = reader.read();
  if (!node.ok) return err(node.error.message);
  return reader.isAtEnd() ? node : err(reader.failure().message);
}

export interface JsoncFailure {
  readonly message: string;
  /** Where it can't be read any further. */
  readonly at: number;
}

/** The value that begins at an offset, whatever stands behind it. */
export function readJsoncAt(text: string, offset: number): Result<JsoncNode, JsoncFailure> {
  return new Reader(text, offset).read();
}

/** Deeper ones are no data of anybody, and reading goes down by recursion. */
const deepest = 500;

const blank = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const word = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|[-+.\w]+/y;
const rawBreaks: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

class Unreadable extends Error {}

/** Remembers where everything stands. */
class Reader {
  readonly #text: string;
  #at: number;
  #depth = 0;

  constructor(text: string, offset: number) {
    this.#text = text;
    this.#at = offset;
  }

  read(): Result<JsoncNode, JsoncFailure> {
    try {
      return ok(this.#value());
    } catch (error) {
      if (error instanceof Unreadable) return err(this.failure());
      throw error;
    }
  }

  isAtEnd(): boolean {
    this.#skip();
    return this.#at >= this.#text.length;
  }

  failure(): JsoncFailure {
    const line = this.#text.slice(0, this.#at).split("\n").length;
    return { message: `line ${line} is not valid JSON`, at: this.#at };
  }

  #value(): JsoncNode {
    this.#skip();
    const start = this.#at;
    const first = this.#text[start];
    if (first === "{") return this.#nested(() => this.#object(start));
    if (first === "[") return this.#nested(() => this.#array(start));
    const written = this.#match(word);
    if (written === "") throw new Unreadable();
    return { start, end: this.#at, value: this.#literal(written) };
  }

  #nested(read: () => JsoncNode): JsoncNode {
    if (++this.#depth > deepest) throw new Unreadable();
    const node = read();
    this.#depth--;
    return node;
  }

  #literal(written: string): unknown {
    try {
      return JSON.parse(written.replaceAll(/[\n\r\t]/g, (character) => rawBreaks[character] ?? ""));
    } catch {
      this.#at -= written.length;
      throw new Unreadable();
    }
  }

  #object(start: number): JsoncNode {
    const members = new Map<string, JsoncNode>();
    this.#list("}", () => {
      const key = this.#value();
      this.#skip();
      if (typeof key.value !== "string" || this.#text[this.#at] !== ":") throw new Unreadable();
      this.#at++;
      members.set(key.value, this.#value());
    });
    const value = Object.fromEntries([...members].map(([name, node]) => [name, node.value]));
    return { start, end: this.#at, value, members };
  }

  #array(start: number): JsoncNode {
    const value: unknown[] = [];
    this.#list("]", () => value.push(this.#value().value));
    return { start, end: this.#at, value };
  }

  /** Everything up to the closing sign, with commas in between. */
  #list(close: string, readOne: () => void): void {
    this.#at++;
    for (let isFirst = true; ; isFirst = false) {
      this.#skip();
      if (!isFirst && this.#text[this.#at] === ",") {
        this.#at++;
        this.#skip();
      } else if (!isFirst && this.#text[this.#at] !== close) throw new Unreadable();
      if (this.#text[this.#at] === close) break;
      readOne();
    }
    this.#at++;
  }

  /** Blanks and comments. */
  #skip(): void {
    this.#match(blank);
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ""] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }
}
