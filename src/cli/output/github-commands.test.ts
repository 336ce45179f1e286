import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { type Annotation, createGitHubCommands, disarm, disarmJson } from "./github-commands.ts";

function annotated(annotation: Partial<Annotation>): string {
  let text = "";
  const add = (line: string): void => {
    text += line;
  };
  createGitHubCommands("/repo", add, add).annotate({
    level: "error",
    title: "title",
    message: "message",
    ...annotation,
  });
  return text;
}

test("what a command says is escaped as GitHub unescapes it", () => {
  expect(annotated({ message: "100% of\nlines: a,b" })).toBe("::error title=title::100%25 of%0Alines: a,b\n");
  expect(annotated({ title: "a,b: 100%\n" })).toBe("::error title=a%2Cb%3A 100%25 ::message\n");
});

test("a file is named from the root of the repository, and one outside of it not at all", () => {
  expect(annotated({ file: "/repo/a,b/c.yaml", line: 3 })).toBe(
    "::error file=a%2Cb/c.yaml,line=3,title=title::message\n",
  );
  expect(annotated({ file: "/elsewhere/c.yaml", line: 3 })).toBe("::error title=title::message\n");
});

test("columns are given within one line only", () => {
  const place = { file: "/repo/x", line: 1, column: 2, endColumn: 4 };
  expect(annotated({ ...place, endLine: 1 })).toContain("file=x,line=1,endLine=1,col=2,endColumn=4,title");
  expect(annotated({ ...place, endLine: 2 })).toContain("file=x,line=1,endLine=2,title");
});

test("a message is never longer than GitHub shows, and holds no escape sequence", () => {
  expect(annotated({ message: `\u001b[31m${"x".repeat(100_000)}` })).toBe(`::error title=title::${"x".repeat(4000)}\n`);
});

/** As the runner looks for commands in a line. */
function isObeyed(line: string): boolean {
  return line.trimStart().startsWith("::") || line.includes("##[");
}

test.each([
  "::error::x",
  " \t\u00a0\u3000::set-env name=X::y",
  "##[error]x",
  "a ##[add-path]/evil",
  "####[group]x",
  "\u001b[31m::error::x\u001b[39m",
  "::::error::x",
  "::stop-commands::x",
])("%j is not obeyed any more", (line) => {
  const text = disarm(`before\n${line}\nafter`);
  expect(text.split("\n").map(stripVTControlCharacters).filter(isObeyed)).toEqual([]);
  expect(text.replaceAll(/(?<=:|##) /g, "")).toBe(`before\n${line.replaceAll(/(?<=:|##) /g, "")}\nafter`);
});

test("what the runner does not obey stays as it is", () => {
  const text = "std::vector<int> a::b\n# [x]\n#[x] : :\n";
  expect(disarm(text)).toBe(text);
});

test("JSON says the same, and nothing in it is obeyed", () => {
  const json = JSON.stringify({ text: "##[error]x" });
  expect(disarmJson(json)).not.toContain("##[");
  expect(JSON.parse(disarmJson(json))).toEqual({ text: "##[error]x" });
});
