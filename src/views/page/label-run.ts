import type { RunStarted } from "../../engine/events.ts";

const longest = 40;

/** What tells a run from others of its workflow: its first given input, in a few words. */
export function labelRun({ inputs, defaulted = [] }: Pick<RunStarted, "inputs" | "defaulted">): string | undefined {
  for (const [name, value] of Object.entries(inputs)) {
    if (defaulted.includes(name) || value === null || value === "") continue;
    const text = (typeof value === "string" ? value : JSON.stringify(value)).replaceAll(/\s+/g, " ").trim();
    return text.length <= longest ? text : `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, "")}…`;
  }
  return undefined;
}
