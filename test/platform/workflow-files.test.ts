import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listWorkflowFiles } from "../../src/platform/files/list-workflow-files.ts";
import { readWorkflowText } from "../../src/platform/files/workflow-files.ts";
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

test("why a file can't be read is told in a few words, without the terms of the system", async () => {
  const file = join(directory, "real", "b.yaml");
  chmodSync(file, 0o000);
  symlinkSync("loop.yaml", join(directory, "loop.yaml"));
  await asOrdinaryUser([directory], async () => {
    expect(readWorkflowText(file)).toEqual({ problem: "unreadable", detail: "permission denied" });
  });
  expect(readWorkflowText(join(directory, "none.yaml"))).toEqual({ problem: "missing", detail: "it does not exist" });
  expect(readWorkflowText(join(file, "in.yaml"))).toMatchObject({ problem: "missing" });
  expect(readWorkflowText(join(directory, "loop.yaml"))).toEqual({
    problem: "unreadable",
    detail: "too many symbolic links encountered",
  });
  expect(readWorkflowText("a\0b")).toMatchObject({ problem: "unreadable" });
});
