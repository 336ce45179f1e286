import { err, ok, type Result } from "../util/result.ts";
import { Redactor } from "./redactor.ts";

/** A shorter text turns up everywhere by chance, so it could not be kept out of the record. */
const shortest = 4;
/** What has to be known to find a secret again takes many times its own space. */
const longest = 65_536;

/**
 * What the user has entrusted to this process by name. Values are looked up at the last moment, for the block that reads them; what
 * is recorded and shown holds the reference instead.
 */
export class Secrets {
  readonly #values: Map<string, string>;
  #redactor: Redactor | undefined;

  constructor(values: ReadonlyMap<string, string>) {
    this.#values = new Map(values);
  }

  /** One that is there already wins, unless it is empty. */
  add(name: string, value: string): void {
    if ((this.#values.get(name) ?? "") !== "") return;
    this.#values.set(name, value);
    this.#redactor = undefined;
  }

  get names(): readonly string[] {
    return [...this.#values.keys()].sort();
  }

  /** The error says what to do. */
  find(name: string): Result<string, string> {
    const value = this.#values.get(name) ?? "";
    if (value === "") return err(`The secret '${name}' is missing. Set ${variableOf(name)} where Frond is started.`);
    if (isUsable(value)) return ok(value);
    const rule = `Frond can keep secrets of ${shortest} to ${longest} characters out of what it records`;
    if (value.length > longest) return err(`The secret '${name}' has ${value.length} characters. ${rule}.`);
    const length = visibleLength(value) === 1 ? "one character" : `${visibleLength(value)} characters`;
    return err(`The secret '${name}' has ${length}, without white space. ${rule}.`);
  }

  /** Knows all secrets, not only those a run has asked for: a command may have found others by itself. */
  get redactor(): Redactor {
    this.#redactor ??= new Redactor(new Map([...this.#values].filter(([, value]) => isUsable(value))));
    return this.#redactor;
  }
}

function isUsable(value: string): boolean {
  return visibleLength(value) >= shortest && value.length <= longest;
}

function visibleLength(value: string): number {
  return value.replaceAll(/\s/g, "").length;
}

function variableOf(name: string): string {
  return `FROND_SECRET_${name}`;
}
