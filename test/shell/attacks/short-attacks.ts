import type { Attack } from "./attack.ts";

type More = Pick<Attack, "setup" | "needs" | "shell" | "stdin" | "env">;

/** Attacks in a line each: a name, a command, what `${inputs.v}` is in it, and what else it needs. */
function attackOf(expect: Attack["expect"]): (name: string, command: string, v?: string, more?: More) => Attack {
  return (name, command, v = "CANARY", more = {}) => ({ name, expect, command, values: { v }, ...more });
}

type ShortAttack = ReturnType<typeof attackOf>;

export const refused: ShortAttack = attackOf("refused");
export const warned: ShortAttack = attackOf("warned");
export const harmless: ShortAttack = attackOf("harmless");
export const unseen: ShortAttack = attackOf("unseen");
