import { expect, test } from "vitest";
import { readEnvFiles } from "./read-env-files.ts";

function read(files: Readonly<Record<string, string>>) {
  const readWorkflowText = (path: string) =>
    path in files ? { text: files[path] ?? "" } : ({ problem: "missing", detail: "" } as const);
  return readEnvFiles([...Object.keys(files), ...(Object.keys(files).length === 0 ? ["gone"] : [])], {
    readWorkflowText,
  });
}

function variables(text: string): Record<string, string> {
  const found = read({ ".env": text });
  if (!found.ok) throw new Error(found.error.map(({ message }) => message).join(" "));
  return Object.fromEntries(found.value);
}

test("names, values, quotes, comments and lines are read as Node reads them", () => {
  expect(
    variables(
      '\ufeff# first\nA=1\nexport B = two words # three\nC="several\nlines" # of text\r\nD=\'$A "x"\'\nE=\n\nF=a=b\nG=`q`\r\n',
    ),
  ).toEqual({
    A: "1",
    B: "two words",
    C: "several\nlines",
    D: '$A "x"',
    E: "",
    F: "a=b",
    G: "q",
  });
});

test("the last file wins", () => {
  const found = read({ one: "A=1\nB=1", two: "B=2" });
  expect(found.ok && Object.fromEntries(found.value)).toEqual({ A: "1", B: "2" });
});

test.each([
  ["A=1\nsecret word\n", "line 2: this is not NAME=value."],
  ["A=1\n\nB-C=secret\n", "line 3: what stands before the = can't be the name of a variable."],
  ["=secret", "line 1: what stands before the = can't be the name of a variable."],
  ['A="one\ntwo"\n1B=secret', "line 3: what stands before the = can't be the name of a variable."],
  ['\nA="secret\nB=2\n', "line 2: the quote before the value is never closed."],
  ['A="secret \\" word"\n', "line 1: something follows the quote that ends the value."],
  ["A='one\ntwo' secret\n", "line 2: something follows the quote that ends the value."],
  ["A=se\0cret", "line 1: no variable can hold a NUL character."],
])("%j is refused with its line, and without what it says", (text, message) => {
  const found = read({ ".env": text });
  expect(found.ok ? [] : found.error.map((one) => one.message)).toEqual([`'.env', ${message}`]);
  expect(JSON.stringify(found)).not.toContain("secret");
});

test("everything that is wrong with all files is told at once", () => {
  const found = read({ one: "bad\nworse", two: "A=1\nbad" });
  expect(found.ok ? [] : found.error.map(({ message }) => message.replace(/:.*/, ""))).toEqual([
    "'one', line 1",
    "'one', line 2",
    "'two', line 2",
  ]);
  expect(read({})).toMatchObject({ ok: false, error: [{ message: "There is no file 'gone'." }] });
});
