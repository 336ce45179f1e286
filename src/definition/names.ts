import { refusedNames } from "../expression/ast.ts";

/** Why a name can't be used, or nothing when it can: a path must be able to spell it, and nothing internal may hide behind it. */
export function checkName(name: string, what: string, pattern: RegExp, rule: string): string | undefined {
  if (refusedNames.has(name)) return `'${name}' can't be ${what}: Frond uses this name itself.`;
  return pattern.test(name) ? undefined : `'${name}' can't be ${what}: ${rule}.`;
}
