import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTrustStore } from "./trust-store.ts";

const somebodyElse = 65_534;
const trusted = { owners: [1000], files: { ".frond/workflows/own.yaml": "hash" } };

function add(store: ReturnType<typeof createTrustStore>, project: string): unknown {
  return store.save(project, trusted, new Map([["hash", "text"]]));
}

let directory: string;
let state: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "frond-trust-"));
  state = join(directory, "deep", "state");
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

test("what is trusted is remembered in a directory and a file that only their owner can read", () => {
  mkdirSync(state, { recursive: true });
  chmodSync(state, 0o777);
  const store = createTrustStore(state);
  expect(store.find("/project")).toBeUndefined();
  expect(add(store, "/project")).toEqual({ ok: true, value: undefined });
  expect(createTrustStore(state).find("/project")).toEqual(trusted);
  expect(readdirSync(state).sort()).toEqual(["trusted", "trusted.json"]);
  expect(statSync(state).mode & 0o777).toBe(0o700);
  expect(statSync(join(state, "trusted")).mode & 0o777).toBe(0o700);
  expect(statSync(join(state, "trusted.json")).mode & 0o777).toBe(0o600);
  expect(statSync(join(state, "trusted", "hash")).mode & 0o777).toBe(0o600);
  store.remove("/project");
  expect(store.list()).toEqual([]);
});

test("a text is kept as long as a project has it", () => {
  const store = createTrustStore(state);
  add(store, "/one");
  add(store, "/two");
  store.remove("/one");
  expect(store.textOf("hash")).toBe("text");
  expect(store.list()).toEqual(["/two"]);
  store.remove("/two");
  expect(store.textOf("hash")).toBeUndefined();
});

test("an update is made of what is on record at that moment, and may leave it as it is", () => {
  const store = createTrustStore(state);
  store.update("/project", () => trusted, new Map([["hash", "text"]]));
  const files = { ...trusted.files, "b.yaml": "other" };
  createTrustStore(state).update("/project", (known) => ({ owners: known?.owners ?? [], files }), new Map());
  expect(store.update("/project", () => undefined, new Map())).toEqual({ ok: true, value: undefined });
  expect(store.find("/project")).toEqual({ owners: trusted.owners, files });
  expect(store.textOf("hash")).toBe("text");
  expect(readdirSync(state)).not.toContain("trusted.json.lock");
});

test("what is done alone may change what is on record, and leaves no lock, also when it fails", async () => {
  const store = createTrustStore(state);
  expect(await store.alone(async () => add(store, "/project"))).toMatchObject({ ok: true, value: { ok: true } });
  await expect(store.alone(() => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  expect(readdirSync(state).sort()).toEqual(["trusted", "trusted.json"]);
});

test("a list of directories without their files, as earlier versions wrote it, trusts nothing", () => {
  mkdirSync(state, { recursive: true });
  writeFileSync(join(state, "trusted.json"), JSON.stringify(["/project"]));
  expect(createTrustStore(state).find("/project")).toBeUndefined();
});

test("a link in place of the state directory is not followed", () => {
  mkdirSync(join(directory, "elsewhere"));
  symlinkSync(join(directory, "elsewhere"), join(directory, "linked"));
  const linked = join(directory, "linked");
  const error = `The state directory ${linked} is a symbolic link, which is not followed.`;
  expect(add(createTrustStore(linked), "/project")).toEqual({ ok: false, error });
  expect(readdirSync(join(directory, "elsewhere"))).toEqual([]);
});

describe.runIf(process.getuid?.() === 0)("another user", () => {
  test("cannot vouch with a file of theirs", () => {
    const store = createTrustStore(state);
    add(store, "/project");
    chownSync(join(state, "trusted.json"), somebodyElse, somebodyElse);
    expect(store.find("/project")).toBeUndefined();
  });

  test("cannot have their directory used", () => {
    const store = createTrustStore(state);
    add(store, "/project");
    chownSync(state, somebodyElse, somebodyElse);
    expect(store.find("/project")).toBeUndefined();
    const error = `The state directory ${state} belongs to another user.`;
    expect(add(store, "/other")).toEqual({ ok: false, error });
  });
});
