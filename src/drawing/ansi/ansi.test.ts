import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAnsi, plainText, textOf } from "./ansi.ts";

const esc = "\u001b";

describe("parseAnsi", () => {
  it("reads colours and ways to stand out, and their end", () => {
    expect(show(`${esc}[1;31mnpm error${esc}[0m 503 ${esc}[2mgrey${esc}[22m plain`)).toBe(
      "<ansi-red ansi-bold>npm error< 503 <ansi-dim>grey< plain",
    );
    expect(show(`${esc}[4;9mboth${esc}[24m one${esc}[m none`)).toBe(
      "<ansi-underline ansi-strike>both<ansi-strike> one< none",
    );
  });

  it.each([
    ["90", "ansi-faint"],
    ["37", ""],
    ["38;5;9", "ansi-red"],
    ["38;5;208", "ansi-yellow"],
    ["38;5;27", "ansi-blue"],
    ["38;5;244", "ansi-faint"],
    ["38;5;255", ""],
    ["38;2;220;40;40", "ansi-red"],
    ["38:2::40:200:80", "ansi-green"],
    ["38:2:40:200:200", "ansi-cyan"],
    ["38;2;200;60;200", "ansi-magenta"],
    ["41;97", "ansi-on-red"],
    ["31;7", "ansi-on-red"],
    ["7", "ansi-on-plain"],
    ["4:3", "ansi-underline"],
    ["38", ""],
    ["77;1", "ansi-bold"],
  ])("%s is %s", (codes, classes) => {
    expect(parseAnsi(`${esc}[${codes}mx`)).toEqual([{ text: "x", class: classes }]);
  });

  it("lets a carriage return write over the line, as progress bars do", () => {
    expect(plainText("10%\r55%\r100%")).toBe("100%");
    expect(plainText("downloading\rdone")).toBe("doneloading");
    expect(plainText(`downloading\r${esc}[Kdone`)).toBe("done");
    expect(plainText("windows\r")).toBe("windows");
    expect(plainText(`old${esc}[2K\rnew`)).toBe("new");
    expect(plainText(`old${esc}[2Knew`)).toBe("   new");
    expect(plainText("abc\b\bX")).toBe("aXc");
    expect(show(`${esc}[31mred\r${esc}[32mg`)).toBe("<ansi-green>g<ansi-red>ed");
  });

  it("shows nothing of links, titles and movements", () => {
    expect(plainText(`${esc}]8;;https://example.com${esc}\\link${esc}]8;;${esc}\\ end`)).toBe("link end");
    expect(plainText(`${esc}]0;a title\u0007text`)).toBe("text");
    expect(plainText(`${esc}[2J${esc}[3;4Hhere${esc}[?25l${esc}(B${esc}7${esc}=`)).toBe("here");
    expect(plainText(`${esc}P1$rdata${esc}\\after`)).toBe("after");
    expect(plainText(`cut off ${esc}[3`)).toBe("cut off ");
    expect(plainText("bell\u0007 nul\u0000 turned \u202eround")).toBe("bell nul turned round");
  });

  it("writes tabs as blanks up to the next eighth column", () => {
    expect(plainText("a\tb")).toBe("a       b");
    expect(plainText("12345678\tb")).toBe("12345678        b");
  });

  it("keeps what is no control character, and never has one in a text, whatever it is given", () => {
    const soup = fc
      .array(
        fc.oneof(
          fc.constantFrom(
            esc,
            "[",
            "]",
            "m",
            "K",
            "\r",
            "\b",
            "\t",
            "\u009b",
            "\u009d",
            "\u0007",
            ";",
            ":",
            "38",
            "\\",
          ),
          fc.integer({ min: 0, max: 400 }).map(String),
          fc.string({ unit: "binary" }),
        ),
      )
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(soup, (line) => {
        const text = textOf(parseAnsi(line));
        expect(text).not.toMatch(/\p{Cc}/u);
        expect(plainText(line)).toBe(text);
        expect(plainText(text)).toBe(text);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ["beginnings of sequences", `${esc}[`],
    ["links without an end", `${esc}]8;;`],
    ["numbers", `${esc}[1;2;3`],
    ["returns", "x\r"],
    ["long returns", "0123456789\r\t"],
    ["erasing", `x\rxy\b${esc}[K`],
    ["erased lines", `x${esc}[2K`],
    ["colours", `${esc}[38;5;12mx`],
  ])("takes time that grows with the length: %s", (_, part) => {
    const begin = performance.now();
    parseAnsi(part.repeat(160_000));
    // A moment, unless every character had to look at all others: then it is minutes.
    expect(performance.now() - begin).toBeLessThan(30_000);
  });
});

function show(line: string): string {
  return parseAnsi(line)
    .map((span) => (span.class === "" ? `<${span.text}` : `<${span.class}>${span.text}`))
    .join("")
    .replace(/^<(?=[^a])/, "");
}
