import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { createFileSystem } from "../../src/platform/files/file-system.ts";
import { makeFileGround } from "./file-ground.ts";
import { perform, temporary } from "./file-steps.ts";
import { buildFileWorker, runFileWorker, startFileWorker } from "./start-file-worker.ts";

const files = createFileSystem();
const isRoot = process.getuid?.() === 0;
const somebody = 54_321;

buildFileWorker();

function modeOf(path: string): number {
  return lstatSync(path).mode & 0o7777;
}

/** Contents that show from any part of them whether they are whole. */
function version(number: number): string {
  return String(number % 10).repeat(200_000 + (number % 10));
}

function isWhole(contents: string): boolean {
  return contents === version(Number(contents[0]));
}

describe("whoever looks while a file is replaced", () => {
  const reader = `
    const { readFileSync } = require("node:fs");
    let ended = false;
    process.stdin.on("end", () => { ended = true; }).resume();
    const seen = {};
    const look = () => {
      const contents = readFileSync("file", "latin1");
      const digit = contents[0];
      const isWhole = contents === digit.repeat(200000 + Number(digit));
      const key = isWhole ? digit : "torn";
      seen[key] = (seen[key] ?? 0) + 1;
      if (ended) process.stdout.write(JSON.stringify(seen));
      else setImmediate(look);
    };
    look();
    process.stdout.write(" ");
  `;

  test("sees only whole versions, in another process", async () => {
    const { root, at } = makeFileGround();
    writeFileSync(at("file"), version(0));
    const child = spawn(process.execPath, ["-e", reader], { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child.stdout, "data");
    for (let number = 0; number < 200; number++) {
      expect(await perform(files, root, ["replace", "file", version(number)])).toBe("done");
    }
    child.stdin.end();
    const seen = JSON.parse(await text(child.stdout)) as Record<string, number>;
    expect(seen.torn).toBeUndefined();
    expect(Object.keys(seen).length).toBeGreaterThan(3);
    expect(readdirSync(root)).toEqual(["file"]);
  });
});

describe("a writer that is killed", () => {
  test("leaves a whole version and at most the temporary file, which the next one clears away", async () => {
    const { root, at } = makeFileGround();
    const steps = [1, 2, 3].map((number) => ["replace", "file", version(number)] as const);
    let leftovers = 0;
    // Until one was killed in the middle: it may have come to its end between being seen there and being killed.
    for (let round = 0; round < 5 || (leftovers === 0 && round < 200); round++) {
      const child = startFileWorker({ root, steps, forever: true });
      await once(child.stdout, "data");
      // Without a pause between seeing it in the middle of its work and ending it.
      const deadline = performance.now() + 10_000;
      while (!existsSync(at(temporary)) && performance.now() < deadline);
      child.kill("SIGKILL");
      await once(child, "close");
      expect(isWhole(readFileSync(at("file"), "latin1"))).toBe(true);
      const names = readdirSync(root);
      if (names.includes(temporary)) leftovers++;
      expect(names.filter((name) => name !== temporary)).toEqual(["file"]);
      expect(await perform(files, root, ["replace", "file", version(round)])).toBe("done");
      expect(readdirSync(root)).toEqual(["file"]);
    }
    expect(leftovers).toBeGreaterThan(0);
  });

  test("may have left a temporary file of any size and mode", async () => {
    const { root, at, tree } = makeFileGround();
    writeFileSync(at(temporary), "half a ver", { mode: 0 });
    expect(await perform(files, root, ["replace", "file", "whole"])).toBe("done");
    expect(tree()).toEqual({ file: "whole" });
    expect(modeOf(at("file"))).toBe(0o644);
  });
});

describe("in the place of the temporary file", () => {
  const inTheWay = "exists: 'file' can't be written: '.temporary' beside it is in the way";

  test.each(["link", "directory"])("a %s is left alone, and so is the file", async (what) => {
    const ground = makeFileGround();
    writeFileSync(ground.at("file"), "old");
    if (what === "link") symlinkSync("../outside/secret", ground.at(temporary));
    else mkdirSync(ground.at(temporary));
    const before = [ground.tree(), ground.canary()];
    expect(await perform(files, ground.root, ["replace", "file", "new"])).toBe(inTheWay);
    expect([ground.tree(), ground.canary()]).toEqual(before);
  });

  test.runIf(isRoot)("a file of another user is left alone", async () => {
    const { root, at, tree } = makeFileGround();
    writeFileSync(at(temporary), "theirs");
    chownSync(at(temporary), somebody, somebody);
    expect(await perform(files, root, ["replace", "file", "new"])).toBe(inTheWay);
    expect(tree()).toEqual({ [temporary]: "theirs" });
  });
});

describe("the mode", () => {
  test.each(["000", "022", "077", "777"])("is what was asked for, whatever the umask, as with %s", async (digits) => {
    const umask = Number.parseInt(digits, 8);
    const { root, at } = makeFileGround();
    const modes = [0o777, 0o666, 0o600, 0o444, 0o000];
    const steps = modes.flatMap((mode) => [
      ["replace", `file-${mode}`, "text", mode] as const,
      ["makeDirectory", `directory-${mode}`, mode] as const,
    ]);
    const { answers, newFileMode, newDirectoryMode } = await runFileWorker({ root, steps, umask });
    expect(new Set(answers)).toEqual(new Set(["done"]));
    for (const mode of modes) {
      expect(modeOf(at(`file-${mode}`))).toBe(mode);
      expect(modeOf(at(`directory-${mode}`))).toBe(mode);
      chmodSync(at(`directory-${mode}`), 0o700);
    }
    expect([newFileMode, newDirectoryMode]).toEqual([0o666 & ~umask, 0o777 & ~umask]);
  });

  test("never lends a user's or a group's rights, and what a file had of that is not told", async () => {
    const { root, at } = makeFileGround();
    writeFileSync(at("file"), "old");
    chmodSync(at("file"), 0o6755);
    expect(await perform(files, root, ["look", "file"])).toEqual({ kind: "file", mode: 0o755, size: 3 });
    expect(await files.read({ root, path: "file" }, 10)).toMatchObject({ mode: 0o755 });
    expect(await perform(files, root, ["replace", "file", "new", 0o6755])).toBe("done");
    expect(await perform(files, root, ["makeDirectory", "directory", 0o7775])).toBe("done");
    expect([modeOf(at("file")), modeOf(at("directory"))]).toEqual([0o755, 0o1775]);
  });

  test("of a directory keeps what it inherits of its parent's group", async () => {
    const { root, at } = makeFileGround();
    mkdirSync(at("shared"));
    chmodSync(at("shared"), 0o2775);
    expect(await perform(files, root, ["makeDirectory", "shared/open", 0o777])).toBe("done");
    expect(await perform(files, root, ["makeDirectory", "shared/closed", 0o700])).toBe("done");
    expect([modeOf(at("shared/open")), modeOf(at("shared/closed"))]).toEqual([0o2777, 0o2700]);
  });
});

test("another name of the replaced file keeps the old bytes", async () => {
  const { root, at, tree } = makeFileGround();
  writeFileSync(at("file"), "old");
  linkSync(at("file"), at("linked"));
  expect(await perform(files, root, ["replace", "file", "new"])).toBe("done");
  expect(tree()).toEqual({ file: "new", linked: "old" });
});

test.runIf(isRoot)("a file keeps its owner when root replaces it, also after a crash before the end", async () => {
  const { root, at } = makeFileGround();
  writeFileSync(at("file"), "old");
  chownSync(at("file"), somebody, somebody);
  writeFileSync(at(temporary), "half");
  chownSync(at(temporary), somebody, somebody);
  expect(await perform(files, root, ["replace", "file", "new", 0o600])).toBe("done");
  const { uid, gid } = statSync(at("file"));
  expect([uid, gid, modeOf(at("file")), readFileSync(at("file"), "utf8")]).toEqual([somebody, somebody, 0o600, "new"]);
});

test("a directory that is renamed while a file in it is replaced takes the whole file along", async () => {
  const { root, at } = makeFileGround();
  mkdirSync(at("here"));
  for (let round = 0; round < 20; round++) {
    const replaced = perform(files, root, ["replace", "here/file", version(round)]);
    await Promise.race([replaced, new Promise((resolve) => setImmediate(resolve))]);
    renameSync(at("here"), at("there"));
    const answer = await replaced;
    const [name = "none"] = readdirSync(at("there"));
    if (answer === "done") expect(isWhole(readFileSync(at(`there/${name}`), "latin1"))).toBe(true);
    else expect(answer).toMatch(/^missing: .*there is no directory 'here'$/);
    expect(readdirSync(at("there"))).not.toContain(temporary);
    renameSync(at("there"), at("here"));
  }
});
