import { readdirSync } from "node:fs";
import { isTemporaryName } from "../../../block/temporary-name.ts";
import { nameOf, systemPath } from "../file-paths.ts";
import { hasCode } from "../file-problems.ts";

/** Where bytes are no UTF-8 the system's text has this instead. */
const replacement = "�";

/** The names in a directory but those of files that blocks beside a command are just writing, sorted; or why they can't be read. Nothing when it is no directory any more. */
export function readNames(path: string): string[] | { readonly problem: string } | undefined {
  try {
    let names = readdirSync(systemPath(path));
    if (names.some((name) => name.includes(replacement))) names = readdirSync(systemPath(path), "buffer").map(nameOf);
    return sorted(names.some(isTemporaryName) ? names.filter((name) => !isTemporaryName(name)) : names);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "ELOOP")) return undefined;
    return { problem: `it can't be read: ${explain(error)}` };
  }
}

/** The system mostly tells them in this order. */
function sorted(names: string[]): string[] {
  for (let at = 1; at < names.length; at++) {
    if ((names[at - 1] as string) > (names[at] as string)) return names.sort();
  }
  return names;
}

function explain(error: unknown): string {
  if (hasCode(error, "EACCES", "EPERM")) return "permission denied";
  return error instanceof Error ? error.message : String(error);
}
