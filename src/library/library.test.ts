import { expect, test } from "vitest";
import { catalog, shell, workflow } from "../../test/definition/check.ts";
import { createLoader, type WorkflowLoader } from "../definition/load-workflow.ts";
import { Library, type LibraryDirectory, type LibraryEntry, peekDescription } from "./library.ts";

type Tree = Readonly<Record<string, Readonly<Record<string, string>>>>;

const directories: readonly LibraryDirectory[] = [
  { path: "built-in", source: "built-in", expected: false },
  { path: "user", source: "user", expected: false },
  { path: "named", source: "template-path", expected: true },
  { path: "project", source: "project", judge: () => "untrusted", expected: false },
];

function open(
  tree: Tree,
  places: readonly LibraryDirectory[] = directories,
  loader: Partial<WorkflowLoader> = {},
): { library: Library; reads: string[] } {
  const reads: string[] = [];
  const files = {
    list: (directory: string) => (tree[directory] === undefined ? undefined : Object.keys(tree[directory]).sort()),
    read(file: string) {
      reads.push(file);
      for (const texts of Object.values(tree)) {
        const text = texts[file];
        if (text !== undefined) return { name: file, text };
      }
      return { code: "unreadable-file", level: "error" as const, message: `'${file}' can't be read.` };
    },
  };
  return { library: new Library(places, files, { ...createLoader(catalog), ...loader }), reads };
}

const named = (name: string, more = ""): string => workflow(shell("a"), more).replace("name: flow", `name: ${name}`);
const shown = ({ name, file, source, trusted, overrides }: LibraryEntry): unknown => ({
  name,
  file,
  source,
  trusted,
  overrides: overrides.map(({ file }) => file),
});

test("a later directory wins over an earlier one, and says what it overrides", () => {
  const { library } = open({
    "built-in": { "b/deploy.yaml": named("deploy"), "b/hello.yaml": named("hello") },
    user: { "u/deploy.yml": named("deploy") },
    named: { "n/x.yaml": named("deploy") },
  });
  expect(library.entries().map(shown)).toEqual([
    {
      name: "deploy",
      file: "n/x.yaml",
      source: "template-path",
      trusted: true,
      overrides: ["u/deploy.yml", "b/deploy.yaml"],
    },
    { name: "hello", file: "b/hello.yaml", source: "built-in", trusted: true, overrides: [] },
  ]);
  expect(library.find("deploy")?.file).toBe("n/x.yaml");
  expect(library.warnings()).toEqual([]);
});

test("a project nobody vouched for is listed, can't be called and overrides nothing", () => {
  const { library } = open({
    "built-in": { "b.yaml": named("deploy") },
    named: {},
    project: { "p.yaml": named("deploy"), "q.yaml": named("own") },
  });
  expect(library.find("deploy")?.file).toBe("b.yaml");
  expect(library.find("own")).toBeUndefined();
  expect(library.entries().map(({ name, file, trusted }) => [name, file, trusted])).toEqual([
    ["deploy", "b.yaml", true],
    ["deploy", "p.yaml", false],
    ["own", "q.yaml", false],
  ]);
});

test("once trusted, the project wins over everything", () => {
  const trusted = directories.map((directory): LibraryDirectory => ({ ...directory, judge: () => "trusted" }));
  const { library } = open(
    { "built-in": { "b.yaml": named("deploy") }, named: {}, project: { "p.yaml": named("deploy") } },
    trusted,
  );
  const overrides = [expect.objectContaining({ file: "b.yaml", source: "built-in" })];
  expect(library.find("deploy")).toMatchObject({ file: "p.yaml", source: "project", overrides });
});

test("each file of a project is judged by the very text that is loaded", () => {
  const judged: [string, string][] = [];
  const judge: LibraryDirectory["judge"] = (file, text) => {
    judged.push([file, text]);
    return file === "q.yaml" ? "trusted" : "changed";
  };
  const tree = { project: { "p.yaml": named("one"), "q.yaml": named("two") } };
  const { library, reads } = open(tree, [{ path: "project", source: "project", judge, expected: false }]);
  expect(library.find("one")).toBeUndefined();
  expect(library.find("two")?.load().definition?.source.text).toBe(judged[1]?.[1]);
  expect(library.entries().map(({ name, standing }) => [name, standing])).toEqual([
    ["two", "trusted"],
    ["one", "changed"],
  ]);
  expect(reads).toEqual(["p.yaml", "q.yaml"]);
});

test("a missing directory is a warning when the user named it, and else nothing", () => {
  const { library } = open({});
  expect(library.warnings()).toEqual(["The workflow directory named does not exist (WORKFLOWS_TEMPLATE_PATHS)."]);
  expect(library.entries()).toEqual([]);
});

test("a directory with a problem is not looked into, and the problem is a warning", () => {
  const problem = "That is no directory of yours.";
  const place: LibraryDirectory = { path: "named", source: "template-path", expected: true, problem };
  const { library } = open({ named: { "n/x.yaml": named("deploy") } }, [place]);
  expect(library.warnings()).toEqual([problem]);
  expect(library.entries()).toEqual([]);
});

test("of a directory with very many files the first are taken, and a warning says so", () => {
  const file = (index: number) => [`n/${String(index).padStart(4, "0")}.yaml`, named(`flow-${index}`)];
  const texts = Object.fromEntries(Array.from({ length: 2001 }, (_, index) => file(index)));
  const { library } = open({ named: texts });
  expect(library.warnings()).toEqual([
    "The workflow directory named has more than 2000 files; the others are ignored.",
  ]);
  expect(library.entries()).toHaveLength(2000);
  expect(library.find("flow-2000")).toBeUndefined();
});

test("a broken file is listed with its problems and never stops the others", () => {
  const { library } = open({
    user: {
      "bad-yaml.yaml": "{",
      "good.yaml": named("good"),
      "bad-key.yaml": named("bad-key", "nope: 1\n"),
      "bad-name.yaml": named("Not A Name"),
    },
    named: {},
  });
  expect(library.find("good")?.load().diagnostics).toEqual([]);
  const broken = library.broken().map(({ file, diagnostics }) => [file, diagnostics.map(({ code }) => code)]);
  expect(Object.fromEntries(broken)).toEqual({
    "bad-yaml.yaml": ["yaml-syntax"],
    "bad-key.yaml": ["unknown-key"],
    "bad-name.yaml": ["bad-name"],
  });
});

test("a list of what comes with Frond looks at no block; what can't be read is told all the same", () => {
  const texts = { "good.yaml": named("good", "tags: [a]\n"), "bad-yaml.yaml": "name: bad-yaml\nblocks: [" };
  const { library } = open({ "built-in": texts, named: {} }, directories, {
    load: ({ name }) => ({ diagnostics: [{ code: "loaded", level: "error", message: name }] }),
  });
  expect(library.broken()).toMatchObject([{ file: "bad-yaml.yaml", diagnostics: [{ message: "bad-yaml.yaml" }] }]);
  expect(library.find("good")?.head()).toEqual({ description: "A test", tags: ["a"] });
});

test("a file that can't be read is listed with the reason", () => {
  const files = {
    list: () => ["gone.yaml", "good.yaml"],
    read: (file: string) =>
      file === "gone.yaml"
        ? { code: "unreadable-file", level: "error" as const, message: "no permission" }
        : { name: file, text: named("good") },
  };
  const library = new Library(directories.slice(0, 1), files, createLoader(catalog));
  expect(library.broken()).toMatchObject([{ file: "gone.yaml", diagnostics: [{ message: "no permission" }] }]);
  expect(library.find("good")).toBeDefined();
});

test("names are found without parsing: a file is read once and parsed when it is asked for", () => {
  const texts = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`w${index}.yaml`, `${named(`w${index}`)}# ${"[".repeat(50)}\n`]),
  );
  const { library, reads } = open({
    "built-in": { ...texts, "unparsable.yaml": 'name: "quoted"  # why\nblocks: [' },
    named: {},
  });
  expect(library.find("quoted")?.file).toBe("unparsable.yaml");
  expect(library.find("w299")).toBeDefined();
  expect(library.entries()).toHaveLength(301);
  expect(reads).toHaveLength(301);
  const entry = library.find("w0");
  expect(entry?.load()).toBe(entry?.load());
  expect(library.find("quoted")?.load().diagnostics).toHaveLength(1);
});

test.each([
  ["single quotes", "name: 'x'\n"],
  ["double quotes", 'name: "x"\n'],
  ["a comment", "name: x   # this one\n"],
  ["Windows line ends", "name: x\r\n"],
  ["a name that is not first", "version: '1'\nname: x\n"],
  ["a byte order mark", "\ufeffname: x\n"],
  ["a flow map", "{ name: x, description: d, blocks: [] }\n"],
])("a name with %s is found", (_what, line) => {
  const text = line.startsWith("{")
    ? line
    : `${line}description: A test\nblocks: [{ id: a, type: Prompt, inputs: { prompt: x } }]\n`;
  expect(
    open({ "built-in": { "f.yaml": text }, named: {} })
      .library.find("x")
      ?.load().definition?.name,
  ).toBe("x");
});

test("a name inside a block is not the workflow's", () => {
  const text = "description: |\n  name: wrong\nname: right\nblocks: [{ id: a, type: Prompt, inputs: { prompt: x } }]\n";
  const { library } = open({ "built-in": { "f.yaml": text }, named: {} });
  expect(library.entries().map(({ name }) => name)).toEqual(["right"]);
});

test("a broken file keeps its name: no other workflow is used instead", () => {
  const { library } = open({
    "built-in": { "b/deploy.yaml": named("deploy") },
    user: { "u/deploy.yaml": named("deploy", "wrong: 1\n") },
    named: {},
  });
  expect(library.find("deploy")).toMatchObject({ file: "u/deploy.yaml", overrides: [{ file: "b/deploy.yaml" }] });
  expect(library.find("deploy")?.load().diagnostics).toMatchObject([{ code: "unknown-key" }]);
  expect(library.broken().map(({ file }) => file)).toEqual(["u/deploy.yaml"]);
});

test.each([
  ["what it says where that can be read", "u/other.yaml", "name: deploy\nblocks: ["],
  ["that of its file where it says none", "u/deploy.yaml", "blocks: []\n"],
  ["that of its file where nothing can be read", "u/deploy.yml", "{"],
])("the name of a broken file is %s", (_what, file, text) => {
  const { library } = open({ "built-in": { "b/deploy.yaml": named("deploy") }, user: { [file]: text }, named: {} });
  expect(library.find("deploy")?.file).toBe(file);
  expect(library.broken().map((broken) => broken.file)).toEqual([file]);
});

test("a broken file that another overrides is listed all the same", () => {
  const { library } = open({ user: { "u/x.yaml": "{" }, named: { "n/x.yaml": named("x") } });
  expect(library.find("x")?.file).toBe("n/x.yaml");
  expect(library.broken().map(({ file }) => file)).toEqual(["u/x.yaml"]);
});

test.each([
  ["description: Does it, at once", "Does it, at once"],
  ["description: Does it # or not\r", "Does it"],
  ['description: "a: \\"b\\" \\u00e9" ', 'a: "b" é'],
  ['  "description": "as JSON",', "as JSON"],
  ["description: 'it''s'", undefined],
  ["description: >-\n  folded", undefined],
  ["description: [a]", undefined],
  ["blocks:\n  - id: a\n    description: of a block", undefined],
])("of %s the description is known without parsing: %s", (text, description) => {
  expect(peekDescription(`name: a\n${text}\n`)).toBe(description);
});
