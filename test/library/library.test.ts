import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { createFrond } from "../rig/frond.ts";

interface Listed {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly file: string;
}

const root = join(import.meta.dirname, "..", "..", "workflows");

/** Group and name of each workflow file. */
const files = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".yaml") && !file.endsWith(".test.yaml"))
  .sort();

async function listed(): Promise<readonly Listed[]> {
  const { reply } = await createFrond().json(["list"]);
  return (reply as { workflows: Listed[] }).workflows;
}

test("there are at least 30 workflows, and none of them is broken", async () => {
  const { reply } = await createFrond().json(["list"]);
  expect(reply).toMatchObject({ broken: [], warnings: [] });
  expect((reply as { workflows: Listed[] }).workflows.length).toBe(files.length);
  expect(files.length).toBeGreaterThanOrEqual(30);
});

test("each is called as its file is, and its first tag is its directory", async () => {
  const found = (await listed()).map(({ name, tags }) => join(tags[0] ?? "", `${name}.yaml`));
  expect(found.sort()).toEqual(files);
});

test("list shows them by group, each with one line", async () => {
  const { stdout } = await createFrond().run(["list"]);
  const lines = stdout.split("\n");
  const shown = new Map<string, string>();
  let group = "";
  for (const line of lines) {
    const [, name] = /^ {2}([a-z0-9-]+) {2,}\S/.exec(line) ?? [];
    if (name !== undefined) shown.set(name, group);
    else if (line !== "") group = line;
  }
  expect([...shown].map(([name, of]) => join(of, `${name}.yaml`)).sort()).toEqual(files);
  expect(lines.filter((line) => line.startsWith("  ")).length).toBe(files.length);
});

test("what a list says of each fits into a line and begins like one", async () => {
  const said = (await listed()).filter(({ description }) => !/^[A-Z][^\n]{10,158}[^.\s]$/.test(description));
  expect(said.map(({ name }) => name)).toEqual([]);
});

test("none has an error or a warning", async () => {
  const { reply } = await createFrond().json(["validate", "--strict", ...files.map((file) => join(root, file))]);
  const { files: checked } = reply as { files: { file: string; errors: object[]; warnings: object[] }[] };
  expect(checked).toHaveLength(files.length);
  expect(checked.filter(({ errors, warnings }) => errors.length + warnings.length > 0)).toEqual([]);
});

test.each(files)("%s describes what it takes and gives, uses nothing unsafe, and has tests beside it", (file) => {
  const text = readFileSync(join(root, file), "utf8");
  const { inputs = {}, outputs } = parse(text) as Partial<Record<"inputs" | "outputs", Record<string, object>>>;
  for (const described of [...Object.values(inputs), ...Object.values(outputs ?? {})]) {
    expect(described).toMatchObject({ type: expect.any(String), description: expect.stringMatching(/\S/) });
  }
  expect(Object.keys(outputs ?? {})).not.toEqual([]);
  expect(text).not.toMatch(/\bunsafe:|\| *raw\b/);
  expect(readFileSync(join(root, file.replace(/\.yaml$/, ".test.yaml")), "utf8")).toMatch(/^cases:/m);
});

test.each([
  [["git-status"], "not a git repository"],
  [["git-analyze-changes"], "not a git repository"],
  [["git-commit", "--input", "message=fix: x"], "not a git repository"],
  [["git-checkout-branch", "--input", "branch=x"], "not a git repository"],
  [["review-change"], "not a git repository"],
  [["review-with-model"], "not a git repository"],
  [["git-status", "--input", "repo=nowhere"], "nowhere' does not exist"],
  [["git-analyze-changes", "--input", "repo=nowhere"], "nowhere' does not exist"],
  [["tdd-refactor"], "There is no passing test"],
])("%j says what is wrong in an empty directory, and not what else is missing because of it", async (args, message) => {
  const { code, reply } = await createFrond().json(["run", ...args]);
  expect(code).toBe(1);
  expect(reply).toMatchObject({
    status: "failure",
    failed_blocks: expect.arrayContaining([expect.objectContaining({ message: expect.stringContaining(message) })]),
  });
  expect(reply).not.toHaveProperty("output_errors");
});
