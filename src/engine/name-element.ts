import { isUnknown } from "../expression/unknown-value.ts";
import { isMap, type Value } from "../expression/value.ts";
import type { LoopElement } from "./events.ts";

/** Fields by which people know one thing of many, the first that is there. */
const naming = ["name", "id"];
const longest = 60;
/** Enough to find as much as is shown in nearly any text, however long that is. */
const longestRead = 1_000;

/**
 * What an element of a list is called beside its number, which says little: its value in one short line, or what the value says of its
 * name. An element of a map has its key for that, and so has a value that is no more than its number.
 */
export function nameElement({ key, value }: LoopElement): string | undefined {
  if (typeof key !== "number" || value === null || value === key || isUnknown(value)) return undefined;
  const text = textOf(value).slice(0, longestRead).replaceAll(/\s+/g, " ").trim();
  if (text === "") return undefined;
  return text.length <= longest ? text : `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, "")}…`;
}

function textOf(value: Value): string {
  if (typeof value === "string") return value;
  const named = isMap(value) ? naming.map((field) => value[field]).find(isName) : undefined;
  return named === undefined ? JSON.stringify(value) : String(named);
}

function isName(value: Value | undefined): boolean {
  return (typeof value === "string" && value.trim() !== "") || typeof value === "number";
}
