import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { wordAdvice as wordForTerminal } from "../../src/cli/word-advice.ts";
import type { Advice } from "../../src/diagnostic/advice.ts";
import { builtInTools } from "../../src/mcp/tools/index.ts";
import { wordAdvice as wordForModel } from "../../src/mcp/word-advice.ts";
import { filesSaying, folderOf, sources } from "./sources.ts";

/** docs/cli.md is generated from the commands that there are. */
const commands = [...readFileSync("docs/cli.md", "utf8").matchAll(/^## frond ([a-z-]+)$/gm)].map(([, name]) => name);
/** In code the name may be put together with the state directory, as `${frond()} resume`. */
const command = new RegExp(`\\bfrond(?:\\(\\)\\})? (${commands.join("|")})\\b`);
const options = new Set(
  [...readFileSync("docs/cli.md", "utf8").matchAll(/`(?:-\w, )?--([a-z-]+)/g)].map(([, name]) => name),
);
/** In a sentence: a list of another program's options, or a pattern for them, has no words around them. */
const option = new RegExp(`(?:\\w[,:]? |["'\`(])--(?:${[...options].join("|")})[ .,:;)\`]`);
/** The field of a record may have the name of a tool. */
const tool = new RegExp(`(?<!\\.)\\b(${builtInTools.map(({ name }) => name).join("|")})\\b(?!\\??:)`);

const doors = ["cli", "mcp", "http", "ui"];

test("commands and tools are known, and found where they stand", () => {
  expect(commands).toContain("trust");
  expect(commands.length).toBeGreaterThan(15);
  expect(options).toContain("no-unsafe");
  expect(options.size).toBeGreaterThan(30);
  expect(filesSaying(command, sources)).toContain("src/cli/word-advice.ts");
  expect(filesSaying(option, sources)).toContain("src/cli/word-advice.ts");
  expect(filesSaying(tool, sources)).toContain("src/mcp/word-advice.ts");
});

test("nothing below the doors names a command, an option of one, or a tool, whatever the problem", () => {
  const below = sources.filter((file) => !doors.includes(folderOf(file)));
  expect(below.length).toBeGreaterThan(300);
  expect(filesSaying(command, below)).toEqual([]);
  expect(filesSaying(option, below)).toEqual([]);
  expect(filesSaying(tool, below)).toEqual([]);
});

test.each([
  "restart the server with --allow ${name}`",
  '"a server without --no-unsafe, or cancel it."',
  '"Give --inputs a JSON file."',
  '"--filter takes a part of a name."',
  "`--inputs: ${message}`",
  "`Write \\`--input ${name}=VALUE\\`.`",
  '"started with --no-unsafe."',
])("an option in a sentence is found: %s", (code) => {
  expect(code).toMatch(option);
});

test("the command line names no tool; the server names a command only in what a person is to be told", () => {
  const inDoor = (door: string): string[] => sources.filter((file) => folderOf(file) === door);
  expect(filesSaying(tool, inDoor("cli"))).toEqual([]);
  // The prompt of author-workflow is read by the person who chose it.
  expect(filesSaying(command, inDoor("mcp"))).toEqual(["src/mcp/authoring.ts", "src/mcp/for-person.ts"]);
});

/** One of each kind: a kind that is missing here is an error of the compiler. */
const samples: { readonly [Kind in Advice["kind"]]: Extract<Advice, { readonly kind: Kind }> } = {
  "list-runs": { kind: "list-runs", nearest: "run_1" },
  "start-run": { kind: "start-run" },
  "choose-run": { kind: "choose-run", runIds: ["run_1", "run_2"], count: 3 },
  "run-again": { kind: "run-again", runId: "run_1" },
  "give-text": { kind: "give-text", runId: "run_1" },
  "end-run": { kind: "end-run", runId: "run_1" },
  "recover-runs": { kind: "recover-runs" },
  "give-up-run": { kind: "give-up-run", runId: "run_1", remedy: "Update Frond", hasEnded: false },
  "list-checkpoints": { kind: "list-checkpoints" },
  "choose-question": { kind: "choose-question", checkpointIds: ["pause_1_a", "pause_1_b"] },
  "give-no-answer": { kind: "give-no-answer", runId: "run_1" },
  "let-person-answer": { kind: "let-person-answer", checkpointId: "pause_1_a", workspace: "/p" },
  "list-workflows": { kind: "list-workflows" },
  "check-workflow": { kind: "check-workflow", workflow: "build" },
  "run-file": { kind: "run-file", file: "build.yaml" },
  "adopt-file": { kind: "adopt-file", file: "flows/build.yaml", project: "/p" },
  "trust-project": { kind: "trust-project", file: "/p/.frond/workflows/build.yaml", project: "/p", isKnown: true },
  "replace-file": { kind: "replace-file" },
  "see-inputs": { kind: "see-inputs", workflow: "deploy" },
  "give-input": { kind: "give-input", input: "target" },
  "write-input": { kind: "write-input", input: "targets", sample: '["a"]' },
  "give-inputs-file": { kind: "give-inputs-file", pair: "target=a" },
  "allow-commands": { kind: "allow-commands", workflow: "build", workspace: "/p" },
  "allow-unsafe": { kind: "allow-unsafe" },
  "set-secret": { kind: "set-secret" },
};

/** What only a person can do. */
const forPersons: readonly Advice["kind"][] = [
  "let-person-answer",
  "adopt-file",
  "trust-project",
  "allow-commands",
  "allow-unsafe",
];

test.each(Object.values(samples))("$kind is advised in the terms of each door", (advice) => {
  const [atTerminal, toModel] = [wordForTerminal(advice) ?? "", wordForModel(advice) ?? ""];
  expect(atTerminal).not.toMatch(tool);
  if (forPersons.includes(advice.kind)) expect(toModel).toMatch(/\b(person|them)\b/);
  else expect(toModel).not.toMatch(command);
  for (const text of [atTerminal, toModel]) expect(text).toMatch(/^$|^[A-Z`].*\.$/s);
});
