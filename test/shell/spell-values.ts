/**
 * Writes values into a script as shell variables and refuses nothing. It knows quotes, expansions and here-documents, and is
 * independent of the compiler it judges: what runs here runs because a construct of the shell evaluates contents.
 */
export type GivenValues = Readonly<Record<string, string | readonly string[]>>;

const reference = /^\$\{(?:inputs|blocks)\.([\w.]+)\}/;
const references = /\$\{(?:inputs|blocks)\.([\w.]+)\}/g;

/** The script, with the assignments of its variables in front. */
export function spellValues(command: string, values: GivenValues): string {
  const assignments = Object.entries(values).map(([name, value]) =>
    typeof value === "string"
      ? `${variable(name)}=${quote(value)}`
      : value.map((item, index) => `${variable(name)}_${index}=${quote(item)}`).join("; "),
  );
  return `${assignments.join("\n")}\n${new Speller(command, values).spell()}`;
}

/** A text without a shell's syntax, such as standard input: the values stand in it as they are. */
export function fillIn(text: string, values: GivenValues): string {
  return text.replaceAll(references, (_, name: string) => {
    const value = values[name] ?? "";
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}

function variable(name: string): string {
  return `V_${name.replaceAll(".", "_")}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

interface HereDocument {
  readonly delimiter: string;
  readonly isQuoted: boolean;
  readonly isIndented: boolean;
}

type Context = "text" | "parentheses" | "braces" | "quotes" | "arithmetic";

class Speller {
  #at = 0;
  #out = "";
  readonly #stack: Context[] = ["text"];
  #hereDocuments: HereDocument[] = [];
  readonly #text: string;
  readonly #values: GivenValues;

  constructor(text: string, values: GivenValues) {
    this.#text = text;
    this.#values = values;
  }

  spell(): string {
    while (this.#at < this.#text.length) this.#step();
    return this.#out;
  }

  get #isQuoted(): boolean {
    const inner = this.#stack.findLast((context) => context !== "braces");
    return inner === "quotes" || inner === "arithmetic";
  }

  #step(): void {
    const rest = this.#text.slice(this.#at);
    const top = this.#stack.at(-1);
    const found = reference.exec(rest);
    if (found !== null) this.#take(found[0].length, this.#spelled(found[1] ?? ""));
    else if (rest.startsWith("\\")) this.#take(2);
    else if (rest.startsWith('"')) this.#toggleQuotes();
    else if (rest.startsWith("$'") && !this.#isQuoted) this.#ansiQuoted(rest);
    else if (rest.startsWith("'") && !this.#isQuoted) this.#singleQuoted(rest);
    else if (rest.startsWith("$((") || (rest.startsWith("((") && !this.#isQuoted)) this.#open("arithmetic", "((");
    else if (rest.startsWith("))") && top === "arithmetic") this.#close(2);
    else if (rest.startsWith("$(")) this.#open("parentheses", "(");
    else if (rest.startsWith("${")) this.#open("braces", "{");
    else if (rest.startsWith("}") && top === "braces") this.#close(1);
    else if (this.#isQuoted) this.#take(1);
    else this.#unquoted(rest, top);
  }

  #unquoted(rest: string, top: Context | undefined): void {
    const hereDocument = /^<<(-?)[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?(\w+))/.exec(rest);
    if (rest.startsWith("<<<")) this.#take(3);
    else if (hereDocument !== null) this.#announce(hereDocument);
    else if (rest.startsWith("\n")) this.#bodies();
    else if (rest.startsWith("(")) this.#open("parentheses", "(");
    else if (rest.startsWith(")") && top === "parentheses") this.#close(1);
    else if (rest.startsWith("#") && top !== "braces" && /(^|[\s;])$/.test(this.#text.slice(0, this.#at)))
      this.#take(/^[^\n]*/.exec(rest)?.[0].length ?? 1);
    else this.#take(1);
  }

  #take(length: number, written = this.#text.slice(this.#at, this.#at + length)): void {
    this.#out += written;
    this.#at += length;
  }

  #open(context: Context, opening: string): void {
    this.#stack.push(context);
    this.#take(this.#text.startsWith("$", this.#at) ? opening.length + 1 : opening.length);
  }

  #close(length: number): void {
    this.#stack.pop();
    this.#take(length);
  }

  #toggleQuotes(): void {
    if (this.#stack.at(-1) === "quotes") this.#stack.pop();
    else this.#stack.push("quotes");
    this.#take(1);
  }

  #spelled(name: string): string {
    const value = this.#values[name];
    if (Array.isArray(value) && !this.#isQuoted)
      return value.map((_, index) => `"\${${variable(name)}_${index}}"`).join(" ");
    return this.#isQuoted ? `\${${variable(name)}}` : `"\${${variable(name)}}"`;
  }

  #singleQuoted(rest: string): void {
    const [whole = rest] = /^'[^']*'?/.exec(rest) ?? [];
    this.#take(
      whole.length,
      whole.replaceAll(references, (_, name: string) => `'"\${${variable(name)}}"'`),
    );
  }

  #ansiQuoted(rest: string): void {
    const [whole = rest] = /^\$'(?:\\.|[^'\\])*'?/s.exec(rest) ?? [];
    this.#take(
      whole.length,
      whole.replaceAll(references, (_, name: string) => `'"\${${variable(name)}}"$'`),
    );
  }

  #announce(found: RegExpExecArray): void {
    const [whole, indent, single, double, bare = ""] = found;
    const isQuoted = bare === "" || whole.includes("\\");
    const delimiter = single ?? double ?? bare;
    this.#hereDocuments.push({ delimiter, isQuoted, isIndented: indent === "-" });
    // A quoted delimiter becomes an unquoted one, so that the variables in the body are expanded.
    this.#take(whole.length, /^\w+$/.test(delimiter) ? `<<${indent}${delimiter}` : whole);
  }

  #bodies(): void {
    this.#take(1);
    for (const { delimiter, isQuoted, isIndented } of this.#hereDocuments.splice(0)) {
      for (let isOpen = true; isOpen && this.#at < this.#text.length; ) {
        const [line = ""] = /^[^\n]*\n?/.exec(this.#text.slice(this.#at)) ?? [];
        const bare = line.replace(/\n$/, "");
        isOpen = (isIndented ? bare.replace(/^\t+/, "") : bare) !== delimiter;
        this.#take(line.length, isOpen ? this.#bodyLine(line, isQuoted) : line);
      }
    }
  }

  #bodyLine(line: string, isQuoted: boolean): string {
    const pieces = line.split(references);
    return pieces
      .map((piece, index) => {
        if (index % 2 === 1) return `\${${variable(piece)}}`;
        return isQuoted ? piece.replaceAll(/[\\$`]/g, "\\$&") : piece;
      })
      .join("");
  }
}
