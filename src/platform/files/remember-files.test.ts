import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { rememberFiles } from "./remember-files.ts";

let directory: string;

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "frond-remember-")));
  onTestFinished(() => rmSync(directory, { recursive: true }));
});

/** As if everything had been written a while ago. */
const later = (): number => Date.now() + 60_000;
/** Until the clock of the file system has gone on, so that what is changed next looks different. */
function letClockTick(): void {
  const probe = mkdtempSync(join(tmpdir(), "frond-tick-"));
  onTestFinished(() => rmSync(probe, { recursive: true }));
  const begin = statSync(probe, { bigint: true }).ctimeNs;
  while (statSync(probe, { bigint: true }).ctimeNs === begin) writeFileSync(join(probe, `${Math.random()}`), "");
}

const options = { followLink: true, limit: 100 };

test("a text that looks as it did is the very same object", () => {
  const file = join(directory, "a.yaml");
  writeFileSync(file, "name: a\n");
  const { readWorkflowText } = rememberFiles(later);
  const first = readWorkflowText(file);
  expect(first).toEqual({ text: "name: a\n" });
  expect(readWorkflowText(file)).toBe(first);
});

test("a text that is written anew counts at once, also when size and time of change are the same", () => {
  const file = join(directory, "a.yaml");
  writeFileSync(file, "name: a\n");
  const { atime, mtime } = statSync(file);
  const { readWorkflowText } = rememberFiles(later);
  readWorkflowText(file);
  writeFileSync(join(directory, "new"), "name: b\n");
  utimesSync(join(directory, "new"), atime, mtime);
  renameSync(join(directory, "new"), file);
  expect(readWorkflowText(file)).toEqual({ text: "name: b\n" });
});

test("a file that changed a moment ago is read each time, because it may change again within one step of its clock", () => {
  const file = join(directory, "a.yaml");
  writeFileSync(file, "name: a\n");
  const { readWorkflowText } = rememberFiles();
  expect(readWorkflowText(file)).not.toBe(readWorkflowText(file));
});

test("files that come and go in any directory are listed as they are", () => {
  const inner = join(directory, "inner");
  mkdirSync(inner);
  writeFileSync(join(inner, "a.yaml"), "");
  const { listWorkflowFiles } = rememberFiles(later);
  const list = (): readonly string[] | undefined => listWorkflowFiles(directory, options);
  expect(list()).toEqual([join(inner, "a.yaml")]);
  letClockTick();
  writeFileSync(join(inner, "b.yml"), "");
  expect(list()).toEqual([join(inner, "a.yaml"), join(inner, "b.yml")]);
  letClockTick();
  rmSync(inner, { recursive: true });
  expect(list()).toEqual([]);
  expect(listWorkflowFiles(join(directory, "nothing"), options)).toBeUndefined();
});

test("what can't be read is said each time as it is", () => {
  const file = join(directory, "a.yaml");
  const { readWorkflowText } = rememberFiles(later);
  expect(readWorkflowText(file)).toMatchObject({ problem: "missing" });
  writeFileSync(file, "name: a\n");
  expect(readWorkflowText(file)).toEqual({ text: "name: a\n" });
  rmSync(file);
  expect(readWorkflowText(file)).toMatchObject({ problem: "missing" });
  expect(readWorkflowText(directory)).toMatchObject({ problem: "directory" });
});
