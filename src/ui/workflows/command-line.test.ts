import { expect, test } from "vitest";
import { commandLine, quote, toolCall } from "./command-line.ts";

test("a short command stands on one line, a long one has a line for each part", () => {
  expect(commandLine({ workflow: "release", inputs: { push_to: "origin" }, budget: 2 })).toBe(
    "frond run release -i push_to=origin --max-cost 2",
  );
  expect(commandLine({ workflow: "release", inputs: { note: "two words", list: ["a", 1], flag: true } })).toBe(
    "frond run release \\\n  -i 'note=two words' \\\n  -i 'list=[\"a\",1]' \\\n  -i flag=true",
  );
});

test("a name that looks like an option is given as a path", () => {
  expect(commandLine({ workflow: "--help", inputs: {} })).toBe("frond run ./--help");
});

test("a plain word stays as it is, an empty one is not lost", () => {
  expect(quote("a-b_c.d/e:f=1")).toBe("a-b_c.d/e:f=1");
  expect(quote("")).toBe("''");
});

test("an agent calls the tool of the workflow, or the one for all", () => {
  const start = { workflow: "release", inputs: { push_to: "origin" } };
  expect(toolCall({ name: "run_release", takes_inputs: true }, start)).toBe('run_release({"push_to":"origin"})');
  expect(JSON.parse(toolCall({ name: "execute_workflow", takes_inputs: false }, start).slice(17, -1))).toEqual(start);
});
