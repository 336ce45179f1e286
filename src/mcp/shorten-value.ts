import { keySize, type SizeOf } from "../util/json-size.ts";
import { shortenText } from "../util/shorten-text.ts";
import { leastSize, type Shape, shapeInside } from "./response-shape.ts";

export interface Cut {
  readonly keys: readonly string[];
  readonly what: string;
}

interface Part {
  readonly key: string;
  readonly value: unknown;
  readonly shape: Shape;
  /** What it takes beside its value. */
  readonly frame: number;
  /** What it must have at least to be worth anything. */
  readonly least: number;
}

/** Less than this of something tells nobody anything. */
const leastUseful = 80;

/**
 * Makes a value smaller: what must stay of it stays, the rest shares the room that is left. Small things are kept as they are,
 * large ones get the same room each, and so on inside them.
 */
export class Shortening {
  /** What is missing, in the order of the value. */
  readonly cuts: Cut[] = [];
  readonly #sizeOf: SizeOf;

  constructor(sizeOf: SizeOf) {
    this.#sizeOf = sizeOf;
  }

  /** Something like the value that has at most `room` characters as JSON; nothing when nothing useful of it has. */
  shrink(value: unknown, shape: Shape, room: number, keys: readonly string[] = []): unknown {
    if (this.#sizeOf(value, room) <= room) return value;
    if (typeof value === "string") return this.#shortenText(value, room, keys);
    if (typeof value !== "object" || value === null) return undefined;
    const isList = Array.isArray(value);
    const { parts, total } = this.#partsOf(value, shape, room);
    const chosen = choose(parts, shape, isList, room - 2);
    const kept = parts.filter((part) => chosen.has(part));
    const rooms = this.#shareRoom(kept, chosen, room - 2);
    const gone = parts.filter(
      (part) => part.shape.kind === "none" && typeof part.value === "object" && part.value !== null,
    );
    for (const { key, value: inside } of gone) {
      this.cuts.push({ keys: [...keys, key], what: `all of ${count(Object.keys(inside as object).length, "block")}` });
    }
    if (kept.length < total - gone.length) {
      const what = isList ? "item" : keys.at(-1) === "blocks" ? "block" : "key";
      this.cuts.push({ keys, what: `${count(total - gone.length - kept.length)} of ${count(total, what)}` });
    }
    const list: unknown[] = [];
    const map = Object.create(null) as Record<string, unknown>;
    for (const [index, { key, value: inside, shape: own }] of kept.entries()) {
      const fitted = this.shrink(inside, own, rooms[index] as number, [...keys, key]);
      if (fitted === undefined) continue;
      if (isList) list.push(fitted);
      else map[key] = fitted;
    }
    return isList ? list : map;
  }

  #shortenText(text: string, room: number, keys: readonly string[]): string | undefined {
    const shortened = shortenText(text, room);
    const part = shortened === undefined ? "a text" : "the middle of a text";
    this.cuts.push({ keys, what: `${part} of ${count(text.length, "character")}` });
    return shortened;
  }

  #partsOf(value: object, shape: Shape, room: number): Parts {
    const isList = Array.isArray(value);
    const parts: Part[] = [];
    let left = room;
    let total = 0;
    // Of a long list there is no need to know all the names.
    const keys = isList ? value.keys() : Object.keys(value);
    for (const name of keys) {
      const inside = (value as Record<string | number, unknown>)[name];
      if (inside === undefined) continue;
      total += 1;
      const key = String(name);
      const own = shapeInside(shape, key);
      if (own.kind === "any" && left < 0) {
        if (!isList) continue;
        return { parts, total: value.length };
      }
      const least =
        own.kind === "any" ? Math.min(this.#sizeOf(inside, leastUseful), leastUseful) : leastSize(inside, own);
      const frame = isList ? 1 : keySize(key);
      left -= frame + least;
      parts.push({ key, value: inside, shape: own, frame, least });
    }
    return { parts, total };
  }

  /** Gives the parts what room is left beyond their least: the small ones all they want, the large ones the same each. */
  #shareRoom(parts: readonly Part[], leasts: ReadonlyMap<Part, number>, room: number): readonly number[] {
    const wants = parts.map((part) => ({ least: leasts.get(part) as number, full: this.#sizeOf(part.value, room) }));
    const framed = parts.reduce((sum, { frame }) => sum + frame, 0);
    const shares = (level: number): number[] => wants.map(({ least, full }) => Math.min(full, Math.max(least, level)));
    let [low, high] = [0, room];
    while (low < high) {
      const level = Math.ceil((low + high) / 2);
      const used = shares(level).reduce((sum, share) => sum + share, framed);
      if (used <= room) low = level;
      else high = level - 1;
    }
    return shares(low);
  }
}

interface Parts {
  /** What must stay, and of the rest only as many as there can be room for. */
  readonly parts: readonly Part[];
  readonly total: number;
}

/** The parts to keep, each with the least it gets: those that must stay, then as many of the others as find room. */
function choose(parts: readonly Part[], shape: Shape, isList: boolean, room: number): ReadonlyMap<Part, number> {
  const chosen = new Map<Part, number>();
  let left = room;
  const take = (part: Part, most: number): boolean => {
    const least = Math.min(part.least, most - part.frame);
    if (least < Math.min(part.least, fewest)) return false;
    chosen.set(part, least);
    left -= part.frame + least;
    return true;
  };
  const needed = parts.filter(({ shape: own }) => own.kind !== "any" && own.kind !== "none");
  if (shape.kind === "each") {
    // Of equals that are too many the first stay, each with all that must stay of it.
    for (const part of needed) if (part.frame + part.least > left || !take(part, left)) break;
  } else {
    const smallFirst = needed.toSorted((one, other) => one.frame + one.least - other.frame - other.least);
    for (const [index, part] of smallFirst.entries()) take(part, Math.floor(left / (smallFirst.length - index)));
  }
  for (const part of parts) {
    if (part.shape.kind !== "any") continue;
    if ((part.frame + part.least > left || !take(part, left)) && isList) break;
  }
  return chosen;
}

/** The least characters that a part can be given. */
const fewest = 2;

export function count(amount: number, noun?: string): string {
  const figure = amount.toLocaleString("en-US");
  return noun === undefined ? figure : `${figure} ${noun}${amount === 1 ? "" : "s"}`;
}
