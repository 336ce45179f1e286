import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createFileSystem } from "../../src/platform/files/file-system.ts";
import { makeSparse, untilOpened } from "../rig/sparse-file.ts";
import { type FileGround, makeFileGround } from "./file-ground.ts";
import { type FileStep, perform, temporary } from "./file-steps.ts";

const steps = (
  [
    ["look", "file"],
    ["read", "file"],
    ["hash", "file"],
    ["readPieces", "file"],
    ["list", "directory"],
    ["replace", "file", "new"],
    ["replace", "new", "new"],
    ["makeDirectory", "new"],
    ["makeLink", "new"],
    ["setMode", "file"],
    ["setMode", "directory"],
    ["rename", "file", "new"],
    ["rename", "directory", "new"],
    ["remove", "file"],
    ["remove", "directory/inner"],
  ] satisfies FileStep[]
).map((step: FileStep) => ({ step }));

function layOut(): FileGround {
  const ground = makeFileGround();
  mkdirSync(ground.at("directory/inner"), { recursive: true });
  for (const path of ["file", "directory/file"]) writeFileSync(ground.at(path), "old");
  symlinkSync("directory", ground.at("link"));
  return ground;
}

describe.each(["linux", "darwin", "freebsd"] as const)("as on %s", (platform) => {
  test.runIf(process.platform === "linux").each(steps)("$step does nothing after the signal", async ({ step }) => {
    const ground = layOut();
    const before = ground.tree();
    const stopped = createFileSystem(platform).withSignal(AbortSignal.abort(new Error("told to stop")));
    await expect(perform(stopped, ground.root, step)).rejects.toThrow("told to stop");
    expect(ground.tree()).toEqual(before);
    expect(await perform(createFileSystem(platform), ground.root, step)).toBeDefined();
  });

  test.runIf(process.platform === "linux").each(steps)(
    "$step heeds a signal that comes on its way",
    async ({ step }) => {
      const ground = layOut();
      const before = ground.tree();
      const stopping = new AbortController();
      const working = perform(createFileSystem(platform).withSignal(stopping.signal), ground.root, step);
      stopping.abort(new Error("told to stop"));
      await expect(working).rejects.toThrow("told to stop");
      expect(ground.tree()).toEqual(before);
    },
  );
});

const large = 100_000_000;

test("a file that is being written when the signal comes stays as it was, and nothing is left beside it", async () => {
  const ground = layOut();
  const before = ground.tree();
  const stopping = new AbortController();
  const files = createFileSystem().withSignal(stopping.signal);
  const writing = files.replace({ root: ground.root, path: "file" }, Buffer.alloc(large), 0o644, temporary);
  const settled = writing.then(
    () => "written",
    (error: Error) => error.message,
  );
  while (!existsSync(ground.at(temporary))) await nextTurn();
  stopping.abort(new Error("told to stop"));
  expect(await settled).toBe("told to stop");
  expect(ground.tree()).toEqual(before);
});

test("large files are written whole", async () => {
  const { root, at } = layOut();
  const bytes = Buffer.from(Array.from({ length: 250_000 }, (_, index) => `line ${index}\n`).join(""));
  expect(await createFileSystem().replace({ root, path: "file" }, bytes, 0o644, temporary)).toBeUndefined();
  expect(readFileSync(at("file")).equals(bytes)).toBe(true);
});

test.runIf(process.platform === "linux").each(["read", "hash"] as const)(
  "%s of a file of any size ends with the signal",
  async (operation) => {
    const { root, at } = layOut();
    makeSparse(at("big"), 1000 * large);
    const stopping = new AbortController();
    const files = createFileSystem().withSignal(stopping.signal);
    const place = { root, path: "big" };
    const reading = expect(operation === "hash" ? files.hash(place) : files.read(place, 2 ** 31)).rejects.toThrow(
      "told to stop",
    );
    await untilOpened(at("big"));
    stopping.abort(new Error("told to stop"));
    await reading;
  },
);

test("a directory with more names than wanted is refused, and listing ends with the signal", async () => {
  const { root, at } = layOut();
  mkdirSync(at("many"));
  const count = 2_000;
  for (let index = 0; index < count; index++) writeFileSync(at(`many/${index}`), "");
  const files = createFileSystem();
  const place = { root, path: "many" };
  expect(await files.list(place, count)).toHaveLength(count);
  expect(await files.list(place, count - 1)).toEqual({
    kind: "too-large",
    message: "'many' holds more than 1,999 entries",
  });
  const stopping = new AbortController();
  const listing = files.withSignal(stopping.signal).list(place);
  stopping.abort(new Error("told to stop"));
  await expect(listing).rejects.toThrow("told to stop");
});
