import type { Span } from "./ast.ts";
import { fail } from "./evaluation-problem.ts";
import { isList, type Value, type ValueMap } from "./value.ts";

/**
 * What one evaluation may cost. Values are shared, not copied, so a short expression can name the same big text a thousand
 * times; every operation therefore pays for what it touches before it touches it.
 */
export interface Limits {
  /** Nodes evaluated. */
  readonly steps: number;
  /** Characters in one text, and in the text of one result. */
  readonly text: number;
  /** Items in one list. */
  readonly items: number;
  /** Characters and items touched altogether, weighed by what touching them costs. */
  readonly work: number;
}

export const defaultLimits: Limits = { steps: 100_000, text: 10_000_000, items: 100_000, work: 100_000_000 };

const workPerNode = 8;
/** Reading the keys of a big map is much dearer than reading the items of a list. */
const workPerKey = 80;
const deepestMeasured = 400;

export class Budget {
  readonly #limits: Limits;
  #steps = 0;
  #work = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  step(at: Span): void {
    if (++this.#steps > this.#limits.steps) {
      fail(at, "limit", `The expression takes more than ${this.#limits.steps} steps. Split it over several blocks.`);
    }
  }

  spend(work: number, at: Span): void {
    this.#work += work;
    if (this.#work > this.#limits.work) {
      fail(at, "limit", "The expression works through too much data. Do this in a block with a program made for it.");
    }
  }

  /** To be called before a text of this length is built. */
  text(length: number, at: Span): void {
    this.fits(length, at);
    this.spend(length, at);
  }

  /** As `text`, for a text that is paid for piece by piece. */
  fits(length: number, at: Span): void {
    if (length > this.#limits.text) {
      fail(at, "limit", `The text would be ${length} characters long; ${this.#limits.text} is the most one may have.`);
    }
  }

  /** To be called before a list of this length is built. */
  items(length: number, at: Span): void {
    if (length > this.#limits.items) {
      fail(at, "limit", `The list would have ${length} items; ${this.#limits.items} is the most one may have.`);
    }
    this.spend(length * workPerNode, at);
  }

  /** The keys of a map, paid for. */
  keys(map: ValueMap, at: Span): string[] {
    const keys = Object.keys(map);
    this.spend(keys.length * workPerKey, at);
    return keys;
  }

  /** Pays for a walk over the whole value and makes sure that its text stays within the limit. */
  measure(value: Value, at: Span): void {
    this.text(this.#measured(value, at, 0), at);
  }

  #measured(value: Value, at: Span, depth: number): number {
    if (typeof value === "string") return value.length + 2;
    this.spend(workPerNode, at);
    if (value === null || typeof value !== "object") return 5;
    if (depth > deepestMeasured) fail(at, "limit", `The value is nested more than ${deepestMeasured} levels deep.`);
    let size = 2;
    if (isList(value)) {
      for (const item of value) {
        size += this.#measured(item, at, depth + 1) + 1;
        this.fits(size, at);
      }
      return size;
    }
    for (const key of this.keys(value, at)) {
      size += key.length + 4 + this.#measured(value[key] as Value, at, depth + 1);
      this.fits(size, at);
    }
    return size;
  }
}
