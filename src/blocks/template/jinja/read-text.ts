const simple: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "\n": "",
};

const escaped = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|(.))/gs;
const lastCharacter = 0x10_ff_ff;

/** What a text in quotes stands for, with Python's escapes; nothing when its quote does not end. */
export function readText(written: string): string | undefined {
  const quote = written.charAt(0);
  if (written.length < 2 || !written.endsWith(quote)) return undefined;
  return written.slice(1, -1).replaceAll(escaped, (all, two, four, eight, octal, other) => {
    const hex: string | undefined = two ?? four ?? eight;
    const code = hex === undefined ? Number.parseInt(octal ?? "", 8) : Number.parseInt(hex, 16);
    if (code <= lastCharacter) return String.fromCodePoint(code);
    return Object.hasOwn(simple, other ?? "") ? (simple[other] as string) : all;
  });
}
