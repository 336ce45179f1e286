import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createPlatform, createRuntime } from "../../src/create-platform.ts";
import type { Diagnostic } from "../../src/diagnostic/diagnostic.ts";
import { createMemoryStorage } from "../../src/journal/memory/memory-journal.ts";
import { surveyProject, trustProject } from "../../src/library/project-trust.ts";
import { type PreparedSave, prepareSave, type SavedWorkflow, save } from "../../src/library/save-workflow.ts";
import type { Platform } from "../../src/runs/platform.ts";
import type { Result } from "../../src/util/result.ts";
import { shell, workflow } from "../rig/frond.ts";
import { unwrap } from "../rig/unwrap.ts";

const own = ".frond/workflows/own.yaml";

/** A project with a home and a state directory of its own, and what Frond finds there at the moment. */
interface Project {
  readonly directory: string;
  readonly home: string;
  readonly platform: Platform;
  write(path: string, text: string): void;
  read(path: string): string;
  prepare(text: string, options?: Partial<Where>): Promise<Result<PreparedSave, readonly Diagnostic[]>>;
  save(text: string, options?: Partial<Where>): Promise<SavedWorkflow>;
  /** Why it is not saved. */
  refusal(text: string, options?: Partial<Where>): Promise<string>;
  /** Whether it can be run by its name. */
  canRun(name: string): boolean;
}

interface Where {
  readonly overwrite: boolean;
  readonly platform: Platform;
}

function createProject(files: Readonly<Record<string, string>> = {}): Project {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "frond-save-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [directory, home] = [join(root, "work"), join(root, "home")];
  mkdirSync(directory);
  const platform = createPlatform({
    variables: { PATH: process.env.PATH ?? "" },
    stateDirectory: join(root, "state"),
    journalStorage: createMemoryStorage(),
    warn: () => {},
  });
  onTestFinished(() => platform.close());
  const open = (given: Platform) =>
    createRuntime(given, { packageRoot: process.cwd(), home, workspace: directory, variables: {} }).workflows;
  const project: Project = {
    directory,
    home,
    platform,
    write(path, text) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), text);
    },
    read: (path) => readFileSync(join(directory, path), "utf8"),
    prepare: (text, { overwrite = false, platform: given = platform } = {}) =>
      prepareSave({ text, workspace: directory, overwrite }, open(given), given),
    async save(text, options = {}) {
      const prepared = unwrap(await project.prepare(text, options));
      return unwrap(await save(prepared, true, options.platform ?? platform));
    },
    async refusal(text, options) {
      const prepared = await project.prepare(text, options);
      if (prepared.ok) throw new Error("It can be saved.");
      return prepared.error.map(({ message }) => message).join(" ");
    },
    canRun: (name) => open(platform).findByName(name).plan !== undefined,
  };
  for (const [path, text] of Object.entries(files)) project.write(path, text);
  return project;
}

function saying(name: string, text: string): string {
  return workflow(name, [shell("say", `echo ${text}`)]);
}

test("a saved workflow can be run by its name at once, until its file is changed", async () => {
  const project = createProject();
  expect(await project.save(saying("own", "one"))).toEqual({ trusted: true, isWritten: true });
  expect(project.read(own)).toBe(saying("own", "one"));
  expect(readdirSync(join(project.directory, ".frond/workflows"))).toEqual(["own.yaml"]);
  expect(project.canRun("own")).toBe(true);
  project.write(own, saying("own", "two"));
  expect(project.canRun("own")).toBe(false);
});

test("no other file of the project is trusted with it, and none loses its trust", async () => {
  const other = ".frond/workflows/other.yaml";
  const project = createProject({ [other]: saying("other", "one") });
  await project.save(saying("own", "one"));
  expect(project.canRun("other")).toBe(false);
  unwrap(trustProject(surveyProject(project.directory, project.platform), project.platform));
  await project.save(saying("third", "one"));
  for (const name of ["own", "other", "third"]) expect(project.canRun(name)).toBe(true);
});

test("what is wrong with it is all told, and nothing is written", async () => {
  const project = createProject();
  const text = workflow("own", [shell("a", "${inputs.x}"), shell("b", "echo ${blocks.nowhere.stdout}")]);
  expect(await project.refusal(text)).toMatch(/'x'.*'nowhere'/);
  expect(await project.refusal("name: ../../up\ndescription: x\nblocks: []\n")).toContain("can't be a workflow's name");
  expect(existsSync(join(project.directory, ".frond"))).toBe(false);
});

test("the name of a built-in workflow, one of the user's or another file's is refused", async () => {
  const project = createProject({
    ".frond/workflows/elsewhere.yaml": saying("taken", "x"),
    "../home/.frond/workflows/mine.yaml": saying("mine", "x"),
  });
  expect(await project.refusal(saying("hello-world", "x"))).toBe("'hello-world' is the name of a built-in workflow.");
  expect(await project.refusal(saying("mine", "x"))).toBe(
    `'mine' is the name of the workflow in ${join(project.home, ".frond/workflows/mine.yaml")}.`,
  );
  expect(await project.refusal(saying("taken", "x"))).toContain("elsewhere.yaml");
  // Also where a person has let the project's own one take its place.
  project.write(".frond/workflows/hello-world.yaml", saying("hello-world", "x"));
  unwrap(trustProject(surveyProject(project.directory, project.platform), project.platform));
  expect(await project.refusal(saying("hello-world", "y"), { overwrite: true })).toContain("built-in");
});

test("a line that only looks like a name does not make it another workflow", async () => {
  const project = createProject();
  const text = `{
"description": "x
name: hello-world
y", "name": "own", "blocks": [{ "id": "a", "type": "Shell", "inputs": { "command": "true" } }]}`;
  expect(await project.refusal(text)).toContain("The library would call this workflow 'hello-world'");
});

test("a trusted workflow is replaced when that is asked for, and only then", async () => {
  const project = createProject();
  await project.save(saying("own", "one"));
  expect(await project.refusal(saying("own", "two"))).toContain("already exists, with another text.");
  expect(await project.save(saying("own", "one"))).toEqual({ trusted: true, isWritten: false });
  expect(await project.save(saying("own", "two"), { overwrite: true })).toEqual({ trusted: true, isWritten: true });
  expect(project.canRun("own")).toBe(true);
});

test("what nobody has looked at is not replaced, whatever is asked for", async () => {
  const project = createProject();
  await project.save(saying("own", "one"));
  project.write(own, saying("own", "edited"));
  const overwrite = true;
  expect(await project.refusal(saying("own", "two"), { overwrite })).toContain("it has changed since it was trusted");
  project.write(".frond/workflows/new.yaml", saying("new", "x"));
  expect(await project.refusal(saying("new", "two"), { overwrite })).toContain("is new, and not trusted yet");
  project.write(".frond/workflows/held.yaml", saying("release", "x"));
  expect(await project.refusal(saying("held", "two"), { overwrite })).toContain("with the workflow 'release'");
  expect(project.read(own)).toBe(saying("own", "edited"));
  // Whoever sends the very text vouches for it as for any other.
  expect(await project.save(saying("own", "edited"))).toEqual({ trusted: true, isWritten: false });
  expect(project.canRun("own")).toBe(true);
});

test.each([
  [".frond", ".frond"],
  [".frond/workflows", ".frond/workflows"],
  ["the file itself", own],
])("nothing is written through a symbolic link: %s", async (_, link) => {
  const project = createProject({ "elsewhere/workflows/own.yaml": saying("other", "x") });
  const target = { ".frond": "elsewhere", ".frond/workflows": "elsewhere/workflows" }[link];
  mkdirSync(dirname(join(project.directory, link)), { recursive: true });
  symlinkSync(join(project.directory, target ?? "elsewhere/workflows/own.yaml"), join(project.directory, link));
  for (const name of ["own", "third"]) {
    if (name === "third" && link === own) continue;
    const prepared = await project.prepare(saying(name, "x"), { overwrite: true });
    const ended = prepared.ok ? await save(prepared.value, true, project.platform) : prepared;
    expect(JSON.stringify(ended)).toContain("is a symbolic link, and links are not followed");
  }
  expect(readdirSync(join(project.directory, "elsewhere/workflows"))).toEqual(["own.yaml"]);
  expect(project.read("elsewhere/workflows/own.yaml")).toBe(saying("other", "x"));
  expect(project.platform.trust.find(project.directory)).toBeUndefined();
});

test("bytes that somebody else puts into the file before it is trusted are not trusted", async () => {
  const project = createProject();
  const { trust } = project.platform;
  const swapping: Platform["trust"] = {
    ...trust,
    update(...args) {
      project.write(own, saying("own", "swapped"));
      return trust.update(...args);
    },
  };
  const platform = { ...project.platform, trust: swapping };
  const prepared = unwrap(await project.prepare(saying("own", "mine"), { platform }));
  expect(await save(prepared, true, platform)).toMatchObject({ ok: false, error: { code: "file-changed" } });
  expect(project.canRun("own")).toBe(false);
  expect(trust.find(project.directory)).toBeUndefined();
});

test("of two that are saved at the same time under one name, one is kept and trusted, and the other is told", async () => {
  const project = createProject();
  const texts = ["one", "two"].map((text) => saying("own", text));
  const prepared = await Promise.all(texts.map(async (text) => unwrap(await project.prepare(text))));
  const saved = await Promise.all(prepared.map((one) => save(one, true, project.platform)));
  expect(saved.map(({ ok }) => ok).sort()).toEqual([false, true]);
  expect(saved.find(({ ok }) => !ok)).toMatchObject({ error: { code: "file-changed" } });
  expect(project.read(own)).toBe(texts[saved.findIndex(({ ok }) => ok)]);
  expect(project.canRun("own")).toBe(true);
});

test("in a directory of somebody else it is saved, and not trusted", async () => {
  const project = createProject();
  const platform: Platform = { ...project.platform, ownerOf: () => ({ user: 65_534, isOurs: false }) };
  expect(await project.save(saying("own", "x"), { platform })).toEqual({ trusted: false, isWritten: true });
  expect(project.canRun("own")).toBe(false);
});

test("children are named as by any file of the project: beside it, and trusted", async () => {
  const project = createProject({ ".frond/workflows/parts/child.yaml": saying("child", "x") });
  const calling = workflow("own", [{ id: "go", type: "ExecuteWorkflow", inputs: { workflow: "./parts/child.yaml" } }]);
  expect(await project.refusal(calling)).toContain("child.yaml comes from this project, which is not trusted yet");
  unwrap(trustProject(surveyProject(project.directory, project.platform), project.platform));
  await project.save(calling);
  expect(project.canRun("own")).toBe(true);
});

test("half a character, which would be another one in the file, is refused", async () => {
  const project = createProject();
  const text = workflow("own", [shell("a", "true")]).replace("The workflow", "The \ud800 workflow");
  expect(await project.refusal(text)).toContain("not text");
});

test("in the user's own library there is nothing to trust", async () => {
  const project = createProject();
  mkdirSync(project.home);
  const { platform } = project;
  const workflows = createRuntime(platform, {
    packageRoot: process.cwd(),
    home: project.home,
    workspace: project.home,
    variables: {},
  }).workflows;
  const request = { text: saying("own", "x"), workspace: project.home, overwrite: false };
  const prepared = unwrap(await prepareSave(request, workflows, platform));
  expect(unwrap(await save(prepared, false, platform))).toEqual({ trusted: true, isWritten: true });
  expect(platform.trust.list()).toEqual([]);
  expect(project.canRun("own")).toBe(true);
});
