import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { spellingsOf } from "../util/spellings.ts";
import { Redactor } from "./redactor.ts";
import { Secrets } from "./secrets.ts";

function redactorOf(secrets: Readonly<Record<string, string>>): Redactor {
  return new Redactor(new Map(Object.entries(secrets)));
}

const redactor = redactorOf({ TOKEN: "hunter2!", KEY: "-----BEGIN-----\nMIIBVQIBADAN\nBgkqhkiG9w0B\n-----END-----\n" });

describe("a text", () => {
  test.each([
    ["the token is hunter2!", "the token is [secret TOKEN]"],
    ["hunter2", "hunter2"],
    ["hunter\n2!", "[secret TOKEN]"],
    [`Basic ${Buffer.from("me:hunter2!").toString("base64")}`, "Basic bWU6[secret TOKEN]"],
    ["?q=hunter2%21", "?q=[secret TOKEN]"],
    ["MIIBVQIBADAN", "[secret KEY]"],
    ["-----BEGIN-----\r\nMIIBVQIBADAN\r\nBgkqhkiG9w0B\r\n-----END-----\r\n", "[secret KEY]\r\n"],
    ["-----BEGIN-----MIIBVQIBADANBgkqhkiG9w0B-----END-----", "[secret KEY]"],
    ["-----BEGIN-----\\nMIIBVQIBADAN\\nBgkqhkiG9w0B\\n-----END-----\\n", "[secret KEY]"],
  ])("loses its secrets: %j", (text, expected) => {
    expect(redactor.text(text)).toBe(expected);
  });

  test("loses a secret that was set with blanks around it, without them", () => {
    expect(redactorOf({ A: " geheim\n" }).text("x=geheim;")).toBe("x=[secret A];");
  });

  test("that holds none is the same", () => {
    const text = "a lone surrogate \ud800 is not touched";
    expect(redactor.text(text)).toBe(text);
  });

  test("loses a secret that base64 has broken into lines", () => {
    const secret = "0123456789abcdef".repeat(10);
    const wrapped = Buffer.from(`x${secret}y`).toString("base64").replaceAll(/.{76}/g, "$&\n");
    expect(wrapped).toContain("\n");
    expect(redactorOf({ A: secret }).text(wrapped)).toMatch(/^.{2}\[secret A\].{1,4}\n?$/);
  });
});

test("a value loses them at any depth, in keys and in numbers too", () => {
  const found = redactorOf({ PIN: "48213377", A: "alpha" }).value({
    list: [{ deep: "an alpha" }, 148213377, 7, true, null],
    alpha: 48213377,
  });
  expect(found).toEqual({
    list: [{ deep: "an [secret A]" }, "1[secret PIN]", 7, true, null],
    "[secret A]": "[secret PIN]",
  });
});

test("what takes the place of a secret never holds one", () => {
  expect(redactorOf({ A: "secret" }).text("my secret")).toBe("my ***");
  expect(redactorOf({ TOKEN: "abcdefgh", OTHER: "TOKEN" }).text("abcdefgh")).toBe("***");
});

test("without secrets nothing is touched", () => {
  const value = { a: ["b"] };
  const none = redactorOf({});
  expect(none.value(value)).toBe(value);
  expect(none.stream()).toBeUndefined();
  expect(none.isIn(Buffer.from("b"))).toBe(false);
});

describe("secrets", () => {
  test("that are missing or can't be kept out of the record are not found, with what to do", () => {
    const secrets = new Secrets(
      new Map([
        ["EMPTY", ""],
        ["SHORT", " abc\n"],
        ["GOOD", "abcd"],
        ["LONG", "x".repeat(70_000)],
      ]),
    );
    expect(secrets.find("GOOD")).toEqual({ ok: true, value: "abcd" });
    const explain = (name: string) => (secrets.find(name) as { error: string }).error;
    expect(explain("EMPTY")).toBe("The secret 'EMPTY' is missing. Set FROND_SECRET_EMPTY where Frond is started.");
    expect(explain("OTHER")).toContain("Set FROND_SECRET_OTHER");
    expect(explain("SHORT")).toContain("has 3 characters, without white space");
    expect(explain("LONG")).toContain("4 to 65536 characters");
    expect(secrets.redactor.text("abc abcd")).toBe("abc [secret GOOD]");
  });
});

/** Of nothing that what takes the place of a secret, or stands between them here, is made of. */
const secret = fc
  .string({
    unit: fc.constantFrom(..."abcXYZ019+/=-_.~ '\"\\%&?<>#$@!(){}|^`,:;é€😀\n\r\t"),
    minLength: 4,
    maxLength: 40,
  })
  .filter((text) => text.replaceAll(/\s/g, "").length >= 4);
const between = fc.string({ unit: fc.constantFrom("→", "¶"), minLength: 1, maxLength: 4 });

test("random secrets in any spelling, in any pieces, are replaced, and everything around them stays", () => {
  fc.assert(
    fc.property(
      fc.array(secret, { minLength: 1, maxLength: 3 }),
      fc.array(fc.tuple(fc.nat(), fc.nat(), between), { minLength: 1, maxLength: 5 }),
      fc.infiniteStream(fc.integer({ min: 1, max: 20 })),
      (values, places, lengths) => {
        const all = new Redactor(new Map(values.map((value, index) => [`N${index}`, value])));
        const written = places.map(([which, form, after]) => {
          const forms = [...spellingsOf(values[which % values.length] as string)];
          return { form: forms[form % forms.length] as string, after };
        });
        const bytes = Buffer.from(`→${written.map(({ form, after }) => form + after).join("")}`);
        const stream = all.stream();
        const pieces: Buffer[] = [];
        for (let at = 0; at < bytes.length; ) {
          const length = lengths.next().value as number;
          pieces.push(Buffer.from(stream?.write(bytes.subarray(at, at + length)) ?? []));
          at += length;
        }
        pieces.push(Buffer.from(stream?.end() ?? []));
        const redacted = Buffer.concat(pieces).toString();
        const replaced = "[\\r\\n]*(?:\\[secret N\\d\\]|\\*{3})[\\r\\n]*";
        expect(redacted).toMatch(new RegExp(`^→${written.map(({ after }) => replaced + after).join("")}$`));
        expect(all.text(bytes.toString())).toBe(redacted);
      },
    ),
    { numRuns: 1000, seed: 3 },
  );
});
