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
  readonly #values: ReadonlyMap<string, string>;
  #redactor: Redactor | undefined;

  constructor(values: ReadonlyMap<string, string>) {
    this.#values = values;
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
    return err(`The secret '${name}' has ${value.length} characters. ${rule}.`);
  }

  /** Knows all secrets, not only those a run has asked for: a command may have found others by itself. */
  get redactor(): Redactor {
    this.#redactor ??= new Redactor(new Map([...this.#values].filter(([, value]) => isUsable(value))));
    return this.#redactor;
  }
}

function isUsable(value: string): boolean {
  return value.replaceAll(/\s/g, "").length >= shortest && value.length <= longest;
}

function variableOf(name: string): string {
  return `FROND_SECRET_${name}`;
}
