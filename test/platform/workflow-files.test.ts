import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listWorkflowFiles } from "../../src/platform/files/workflow-files.ts";
import { asOrdinaryUser } from "../blocks/file-ground.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "frond-list-"));
  mkdirSync(join(directory, "real", "deep", "deeper"), { recursive: true });
  for (const name of ["b.yaml", "a.yml", "a.test.yaml", "a.txt", "deep/deeper/c.yaml", "deep/d.yaml"]) {
    writeFileSync(join(directory, "real", name), "");
  }
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

function list(path: string, options: { followLink?: boolean; limit?: number } = {}): readonly string[] | undefined {
  return listWorkflowFiles(join(directory, path), { followLink: false, limit: 100, ...options });
}

test("workflow files at every depth are listed in order, and their tests are not", () => {
  const names = ["a.yml", "b.yaml", "deep/d.yaml", "deep/deeper/c.yaml"];
  expect(list("real")).toEqual(names.map((name) => join(directory, "real", name)));
  expect(list("none")).toBeUndefined();
});

test("a directory that may not be read hides nothing but what is in it", async () => {
  const closed = join(directory, "real", "closed");
  mkdirSync(closed);
  writeFileSync(join(closed, "e.yaml"), "");
  chmodSync(closed, 0o000);
  await asOrdinaryUser([directory], async () => {
    expect(list("real")).toHaveLength(4);
    expect(list("real/closed")).toBeUndefined();
  });
});

test("no more files are listed than are wanted", () => {
  expect(list("real", { limit: 2 })).toHaveLength(2);
});

test("a link is followed only on request, and one inside never", () => {
  symlinkSync("real", join(directory, "linked"));
  symlinkSync("/", join(directory, "real", "inside"));
  expect([list("linked"), list("linked/deep")]).toEqual([undefined, undefined]);
  expect(list("linked", { followLink: true })).toHaveLength(4);
  expect(list("linked/deep", { followLink: true })).toHaveLength(2);
});
