import type { FakeCommand } from "./test-file.ts";

/**
 * A program that writes down its arguments and then does what the test says. It needs nothing but bash itself, because any other
 * program may be what the test has taken away.
 */
export function writeFake(fake: FakeCommand, bash: string, callsFile: string): string {
  // How many, and then each of them: a text can hold anything but the NUL behind it.
  // In a sandbox there is no place to write it down, which is no reason to say anything that the real one would not.
  const record = `{ printf '%s\\0' "$#" "$@" >>${quote(callsFile)}; } 2>/dev/null`;
  if (fake.kind === "script") return `#!${bash}\n${record}\n${fake.script}\n`;
  const lines = [
    `#!${bash}`,
    record,
    `printf %s ${quote(fake.stdout)}`,
    `printf %s ${quote(fake.stderr)} >&2`,
    `exit ${fake.exitCode}`,
  ];
  return `${lines.join("\n")}\n`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The calls that a fake has written down, each with its arguments. */
export function parseCalls(text: string): string[][] {
  const parts = text.split("\0").slice(0, -1);
  const calls: string[][] = [];
  for (let at = 0; at < parts.length; ) {
    const count = Number(parts[at]);
    calls.push(parts.slice(at + 1, at + 1 + count));
    at += 1 + count;
  }
  return calls;
}
