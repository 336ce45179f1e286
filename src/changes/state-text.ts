import type { EntryState } from "./recorded-change.ts";

/**
 * A state as people read and edit it in an undo plan: `missing`, `file 0644 SHA256 SIZE`, `directory 0755`, `link TARGET`. What is not
 * known is written `-`, and anything will do for it.
 */
export function writeState(state: EntryState): string {
  switch (state.kind) {
    case "missing":
      return "missing";
    case "file":
      return `file ${writeMode(state.mode)} ${state.sha256 ?? unknown} ${state.size ?? unknown}`;
    case "directory":
      return `directory ${state.mode === undefined ? unknown : writeMode(state.mode)}`;
    case "link":
      return `link ${state.target}`;
  }
}

/** Nothing for a text that is no state. */
export function readState(text: string): EntryState | undefined {
  if (text === "missing") return { kind: "missing" };
  const target = /^link ([^\0]+)$/s.exec(text)?.[1];
  if (target !== undefined) return { kind: "link", target };
  const directory = /^directory ([0-7]{3,4}|-)$/.exec(text)?.[1];
  if (directory !== undefined) return { kind: "directory", ...knownNumber("mode", directory, 8) };
  const [, mode, sha256, size] = /^file ([0-7]{3,4}) ([0-9a-f]{64}|-) (\d{1,15}|-)$/.exec(text) ?? [];
  if (mode === undefined || sha256 === undefined || size === undefined) return undefined;
  return {
    kind: "file",
    mode: Number.parseInt(mode, 8),
    ...(sha256 === unknown ? {} : { sha256 }),
    ...knownNumber("size", size, 10),
  };
}

const unknown = "-";

function writeMode(mode: number): string {
  return mode.toString(8).padStart(4, "0");
}

function knownNumber<Name extends string>(
  name: Name,
  digits: string,
  base: number,
): { readonly [name in Name]?: number } {
  return digits === unknown ? {} : ({ [name]: Number.parseInt(digits, base) } as { readonly [name in Name]: number });
}
