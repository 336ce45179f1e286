import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { spellingsOf } from "./spellings.ts";

const text = 'pa\'ss "w"/ö<+~';

test.each<[what: string, spelling: string]>([
  ["as it is", text],
  ["in single quotes of a shell", "pa'\\''ss \"w\"/ö<+~"],
  ["in JSON", `pa'ss \\"w\\"/ö<+~`],
  ["in JSON with slashes escaped", `pa'ss \\"w\\"\\/ö<+~`],
  ["in JSON of ASCII only", `pa'ss \\"w\\"/\\u00f6<+~`],
  ["in JSON for HTML", `pa'ss \\"w\\"/\\u00f6\\u003c+~`],
  ["in JSON in JSON", JSON.stringify(JSON.stringify(text)).slice(3, -3)],
  ["in HTML", "pa&#39;ss &quot;w&quot;/ö&lt;+~"],
  ["in the text of HTML", 'pa\'ss "w"/ö&lt;+~'],
  ["by encodeURIComponent", encodeURIComponent(text)],
  ["by encodeURI", encodeURI(text)],
  ["as RFC 3986 has it", "pa%27ss%20%22w%22%2F%C3%B6%3C%2B~"],
  ["in lower case", "pa%27ss%20%22w%22%2f%c3%b6%3c%2b~"],
  ["in a path", "pa%27ss%20%22w%22/%C3%B6%3C%2B~"],
  ["in a form", new URLSearchParams([["", text]]).toString().slice(1)],
  ["every byte", [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")],
])("a text is found %s", (_what, spelling) => {
  expect([...spellingsOf(text)]).toContain(spelling);
});

test.each(["", "a", "ab", "abc", "abcd"])("a text is found in base64 behind %j, whatever comes after it", (before) => {
  for (const after of ["", "x", "xy", "xyz"]) {
    for (const encoding of ["base64", "base64url"] as const) {
      const encoded = Buffer.from(`${before}${text}${after}`).toString(encoding);
      expect([...spellingsOf(text)].some((spelling) => encoded.includes(spelling))).toBe(true);
    }
  }
});

test("base64 is found in a URL and in JSON too", () => {
  const encoded = Buffer.from("??>>??>>").toString("base64");
  expect(encoded).toMatch(/\+.*\/|\/.*\+/);
  const decided = encoded.slice(0, Math.floor((8 * 8) / 6));
  for (const form of [encodeURIComponent(decided), decided.replaceAll("/", "\\/")]) {
    expect([...spellingsOf("??>>??>>")]).toContain(form);
  }
});

test.each(["declare -p X", "export X; export -p", 'printf %q "$X"', "X=$X; set", 'echo "${X@Q}"'])(
  "a text is found as bash quotes it: %s",
  (command) => {
    const hard = "a b'c\"d$e`f\\g!h(i)*j,k;l<m>n?o[p]q{r}s|t&u=~v^w";
    const printed = execFileSync("bash", ["-c", command], { env: { X: hard }, encoding: "utf8" });
    expect([...spellingsOf(hard)].some((spelling) => printed.includes(spelling))).toBe(true);
  },
);
