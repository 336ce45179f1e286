import type { Proof } from "../../expression/proof.ts";

/**
 * Where a proved word that is pasted into a shell's text is one word of it, or a part of one. The text is looked at with a variable
 * in its place, so that whatever the shell makes of the characters of a word, and not of a variable, must be found here.
 */
export function isWordBetween(before: string, after: string, proof: Proof): boolean {
  // What a backslash quotes is no reference for whoever looks at the text.
  if (before.endsWith("\\") || /\$\{?[A-Za-z0-9_#!]*$/.test(before)) return false;
  if (/(?:^|[\s;&|(])function\s+\S*$/.test(before) || /^[\w.-]*\s*\(\s*\)/.test(after)) return false;
  // `2>file`: digits there are the number of a stream.
  if (/(?:^|[\s;&|()])$/.test(before) && /^[<>]/.test(after) && mayBeDigits(proof)) return false;
  return isOutsideOfBraces(before);
}

function mayBeDigits({ kind, texts }: Proof): boolean {
  return kind !== "boolean" && (texts?.some((text) => /^\d+$/.test(text)) ?? true);
}

/** Not in braces that become words, `{a,{b,c}d}`, nor in an expansion where a word could be its operator, `${x@P}`. */
function isOutsideOfBraces(before: string): boolean {
  let open = before;
  for (let length = -1; length !== open.length; ) {
    length = open.length;
    open = open.replaceAll(/\$?\{[^{}]*\}/g, "");
  }
  return [...open.matchAll(/(\$?)\{(\s?)([^{}]*)/g)].every(([, dollar, blank, inside = ""]) =>
    dollar === "" ? blank !== "" : /^\w+(?:\[[^\]]*\])?:?[-+]/.test(inside),
  );
}
