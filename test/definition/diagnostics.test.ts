import { expect, test } from "vitest";
import { sortDiagnostics, type WordedDiagnostic } from "../../src/diagnostic/diagnostic.ts";
import { renderDiagnostic } from "../../src/diagnostic/render-diagnostic.ts";
import { check, onlyProblem, shell, workflow } from "./check.ts";

const unknownBlock = workflow(`${shell("build")}${shell("test", "depends_on: [biuld]")}`);

function first(text: string): WordedDiagnostic {
  return check(text).diagnostics[0] as WordedDiagnostic;
}

test("a diagnostic is plain data: what, why, what to do, and where, all exact", () => {
  const problem = onlyProblem(unknownBlock);
  expect(problem).toEqual({
    code: "unknown-block",
    level: "error",
    message: "block 'test' depends on 'biuld', which does not exist.",
    block: "test",
    fix: "Did you mean 'build'?",
    file: "flow.yaml",
    line: 5,
    column: 72,
    end_line: 5,
    end_column: 77,
    marked: "biuld",
  });
  expect(JSON.parse(JSON.stringify(problem))).toEqual(problem);
});

test("for people it names the place, shows the lines with the characters marked, and says what to do", () => {
  const text = workflow("- id: a\n  type: Shel\n  inputs: { command: x }");
  expect(renderDiagnostic(first(text), false)).toBe(
    [
      "flow.yaml:5:11: error: block 'a': There is no block type 'Shel'. [unknown-block-type]",
      "  4 |   - id: a",
      "  5 |     type: Shel",
      "    |           ^^^^",
      "  6 |     inputs: { command: x }",
      "  fix: Did you mean 'Shell'?",
    ].join("\n"),
  );
});

test("with colour the words are the same, and every colour ends", () => {
  const diagnostic = first(workflow(shell("a"), "runs_on: a,b\n"));
  const painted = renderDiagnostic(diagnostic, true);
  const csi = "\u001b[";
  expect(painted).toContain(`${csi}31merror${csi}39m`);
  expect(painted).toContain(`${csi}31m^^^${csi}39m`);
  const plain = painted
    .split(csi)
    .map((part, index) => (index === 0 ? part : part.replace(/^\d+m/, "")))
    .join("");
  expect(plain).toBe(renderDiagnostic(diagnostic, false));
  expect(plain).toContain("why: A label is letters, digits");
});

test("a hostile name can't steer the terminal", () => {
  const text = workflow(shell("a"), '"\\e[2Jx\\ny": 1\n');
  const rendered = renderDiagnostic(first(text), false);
  expect(rendered).toContain("has no key '·[2Jx·y'");
  expect(rendered.split("\n")[0]).toMatch(/\[unknown-key\]$/);
});

test("a long line is shown around the problem, with the marker under it", () => {
  const rendered = renderDiagnostic(
    first(workflow(shell("a", `description: ${"x".repeat(300)}, condition: "$\{blocks.nope.failed}"`))),
    false,
  );
  const [, line, marker] = rendered.split("\n") as [string, string, string];
  const from = marker.indexOf("^");
  expect(line.slice(from, marker.lastIndexOf("^") + 1)).toBe("blocks.nope.failed");
  expect(line.length).toBeLessThan(130);
});

test("a marker over several lines stays on the first", () => {
  const rendered = renderDiagnostic(first("- 1\n- 2\n"), false);
  expect(rendered.split("\n").slice(1, 4)).toEqual(["  1 | - 1", "    | ^^^", "  2 | - 2"]);
});

test("all problems of a file are reported at once, errors first", () => {
  const text = workflow(
    `- { id: A, type: Shell, inputs: { command: x }, nope: 1 }
- { id: b, type: Shell, inputs: { command: "true", env: 3 }, condition: "inputs.x ==" }
- { id: c, type: Shell, inputs: { command: "true" }, depends_on: [d] }`,
    "inputs: { x: { type: string } }\nversion: [1]\n",
  );
  const sorted = sortDiagnostics(check(text).diagnostics);
  expect(sorted.map(({ code, range }) => [code, range?.source.text.slice(range.start, range.end)])).toEqual([
    ["wrong-type", "[1]"],
    ["bad-name", "A"],
    ["unknown-key", "nope"],
    ["wrong-type", "3"],
    ["unexpected-end", "="],
    ["unknown-block", "d"],
    ["missing-description", "x"],
  ]);
});

test("a file with endless mistakes is told of the first hundred", () => {
  const { problems } = check(workflow(Array.from({ length: 500 }, (_, index) => shell(`b${index}`, "x: 1")).join("")));
  expect(problems).toHaveLength(101);
  expect(problems.at(-1)).toMatchObject({ code: "too-many-errors", fix: "Fix these first, then look again." });
});

const bad = "${blocks.nope.stdout}";
const scalars: readonly [style: string, stdin: string][] = [
  ["plain", `"x"\n    working_dir: ${bad}`],
  ["a plain value over several lines", `one\n      two ${bad}\n      three`],
  ["single quotes", `'it''s ${bad}'`],
  ["single quotes over several lines", `'it''s\n\n      two ''${bad}'`],
  ["double quotes", `"${bad}"`],
  ["double quotes after csis", `"\\"\\t\\\\ \\x41\\u00e9\\U0001F600 ${bad} \\""`],
  ["double quotes over several lines", `"one \\\n      two\n\n      three ${bad}"`],
  ["a literal block", `|\n      one\n\n        two ${bad}\n      three`],
  ["a literal block with a header", `|2-\n        indented\n      ${bad}`],
  ["a folded block", `>\n      one\n      two\n\n      three ${bad}\n        more indented\n      four`],
  ["a stripped folded block", `>-\n      ${bad}\n`],
  ["a value after characters of two units", `"😀😀 ${bad}"`],
];

test.each(scalars)("the marker points at the very characters in %s", (_style, stdin) => {
  const text = workflow(`- id: a\n  type: Shell\n  inputs:\n    command: "true"\n    stdin: ${stdin}`);
  const [problem] = check(text).problems;
  expect(problem).toMatchObject({ code: "unknown-block", marked: "blocks.nope.stdout" });
  const place = text.indexOf("blocks.nope");
  const lines = text.slice(0, place).split("\n");
  expect(problem).toMatchObject({ line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 });
});

test("with Windows line ends the places are the same", () => {
  const text = workflow(`- id: a\n  type: Shell\n  inputs:\n    command: |\n      echo\n      echo ${bad}`).replaceAll(
    "\n",
    "\r\n",
  );
  expect(check(text).problems.find(({ level }) => level === "error")).toMatchObject({
    marked: "blocks.nope.stdout",
    line: 9,
  });
});

test("a problem in a condition and in a command is marked within its text", () => {
  const text = workflow(
    `- id: a\n  type: Shell\n  condition: >\n    true and\n    (1 = 2)\n  inputs: { command: "echo ${bad}" }`,
  );
  expect(check(text).problems.map(({ line, column, marked }) => [line, column, marked])).toEqual([
    [8, 10, "="],
    [9, 32, "blocks.nope.stdout"],
  ]);
});
