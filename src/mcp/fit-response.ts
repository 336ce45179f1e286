import { defined } from "../util/defined.ts";
import { createSizer, jsonSize, keySize } from "../util/json-size.ts";
import { shapeOf } from "./response-shape.ts";
import { type Cut, count, Shortening } from "./shorten-value.ts";

/** Something that a reply does not hold, for want of room. */
export interface Truncated {
  readonly path: string;
  readonly what: string;
  /** The call that fetches it. */
  readonly get?: string;
}

/** The call that fetches what is missing at a place of a reply, where there is one. */
export type FetchCall = (keys: readonly string[]) => string | undefined;

/**
 * A reply that has at most `limit` characters as JSON: the same if it does already; else with long texts shortened, then with
 * large parts left out, and with a list of what is missing. The work grows with what there is room for, and with no more than the
 * number of parts of the reply.
 */
export function fitResponse(data: object, limit: number, fetchCall: FetchCall): object {
  const sizeOf = createSizer();
  if (sizeOf(data, limit) <= limit) return data;
  const notesRoom = Math.floor(limit / 20) + 1_000;
  const room = limit - notesRoom;
  const shortening = new Shortening(sizeOf);
  const fitted = shortening.shrink(data, shapeOf(data, room), room) as object;
  return { ...fitted, truncated: describeCuts(shortening.cuts, fetchCall, notesRoom - keySize("truncated") - 2) };
}

/** For counting what is not told. */
const moreRoom = 80;

/** The first of these that fit together, as they are shown; at least one. */
export function fitPage<Item>(
  items: readonly Item[],
  room: number,
  show: (item: Item) => unknown = (item) => item,
): readonly Item[] {
  let left = room;
  const end = items.findIndex((item, index) => {
    left -= jsonSize(show(item), left) + 1;
    return left < 0 && index > 0;
  });
  return end < 0 ? items : items.slice(0, end);
}

/** Places that are fetched by the same call are told together; those for which there is no room are counted. */
function describeCuts(cuts: readonly Cut[], fetchCall: FetchCall, room: number): readonly Truncated[] {
  const groups = new Map<string, { readonly get: string | undefined; readonly cuts: Cut[] }>();
  for (const cut of cuts) {
    const get = fetchCall(cut.keys);
    const key = get ?? cut.keys[0] ?? "";
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { get, cuts: [cut] });
    else group.cuts.push(cut);
  }
  const all = [...groups.values()].map(({ get, cuts: some }) => {
    const described = describeGroup(some, get);
    return jsonSize(described) < room / 2 ? described : describeGroup(some, undefined);
  });
  const shown = fitPage(all, room - moreRoom);
  const more = all.length - shown.length;
  return more === 0 ? shown : [...shown, { path: "", what: `${count(more, "more place")}` }];
}

function describeGroup(cuts: readonly Cut[], get: string | undefined): Truncated {
  const [first] = cuts;
  const keys = cuts.length === 1 ? (first?.keys ?? []) : commonKeys(cuts.map((cut) => cut.keys));
  const what = cuts.length === 1 ? (first?.what ?? "") : `something at ${count(cuts.length, "place")}`;
  const path = keys.join(".");
  return {
    path: path.length > longestPath ? `${path.slice(0, longestPath)}...` : path,
    what: `${what} left out`,
    ...defined({ get }),
  };
}

const longestPath = 200;

function commonKeys(all: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = all;
  const end = first.findIndex((key, index) => others.some((keys) => keys[index] !== key));
  return end < 0 ? first : first.slice(0, end);
}
