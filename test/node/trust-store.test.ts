import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTrustStore } from "../../src/node/trust-store.ts";

const somebodyElse = 65_534;
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
  expect(store.has("/project")).toBe(false);
  expect(store.add("/project")).toEqual({ ok: true, value: undefined });
  expect(createTrustStore(state).has("/project")).toBe(true);
  expect(readdirSync(state)).toEqual(["trusted.json"]);
  expect(statSync(state).mode & 0o777).toBe(0o700);
  expect(statSync(join(state, "trusted.json")).mode & 0o777).toBe(0o600);
  store.remove("/project");
  expect(store.list()).toEqual([]);
});

test("a link in place of the state directory is not followed", () => {
  mkdirSync(join(directory, "elsewhere"));
  symlinkSync(join(directory, "elsewhere"), join(directory, "linked"));
  const linked = join(directory, "linked");
  const error = `The state directory ${linked} is a symbolic link, which is not followed.`;
  expect(createTrustStore(linked).add("/project")).toEqual({ ok: false, error });
  expect(readdirSync(join(directory, "elsewhere"))).toEqual([]);
});

describe.runIf(process.getuid?.() === 0)("another user", () => {
  test("cannot vouch with a file of theirs", () => {
    const store = createTrustStore(state);
    store.add("/project");
    chownSync(join(state, "trusted.json"), somebodyElse, somebodyElse);
    expect(store.has("/project")).toBe(false);
  });

  test("cannot have their directory used", () => {
    const store = createTrustStore(state);
    store.add("/project");
    chownSync(state, somebodyElse, somebodyElse);
    expect(store.has("/project")).toBe(false);
    const error = `The state directory ${state} belongs to another user.`;
    expect(store.add("/other")).toEqual({ ok: false, error });
  });
});
