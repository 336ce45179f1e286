import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { waitFor } from "../../../test/rig/wait-for.ts";
import { watchDirectories } from "./watch-directories.ts";

interface Ground {
  readonly root: string;
  write(path: string, text: string): void;
  /** Resolves when a change has been told since the last time. */
  told(): Promise<void>;
  count(): number;
}

/** Watches `a/b` of a fresh directory, in which there is nothing yet. */
function createGround(): Ground {
  const root = mkdtempSync(join(tmpdir(), "frond-watch-"));
  let count = 0;
  let known = 0;
  const stop = watchDirectories([join(root, "a", "b")], () => {
    count += 1;
  });
  onTestFinished(() => {
    stop();
    rmSync(root, { recursive: true, force: true });
  });
  return {
    root,
    write(path, text) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    async told() {
      await waitFor("a change to be told", () => count > known);
      known = count;
    },
    count: () => count,
  };
}

test("a file is told in a directory that did not exist when watching began, and in directories inside it", async () => {
  const ground = createGround();
  ground.write("a/b/one.yaml", "1");
  await ground.told();
  ground.write("a/b/c/d/two.yml", "2");
  await ground.told();
  ground.write("a/b/c/d/two.yml", "3");
  await ground.told();
  rmSync(join(ground.root, "a/b/c/d/two.yml"));
  await ground.told();
});

test("a file that is replaced by another of the same size and time is told", async () => {
  const ground = createGround();
  const [file, other] = [join(ground.root, "a/b/one.yaml"), join(ground.root, "a/b/one.tmp")];
  ground.write("a/b/one.yaml", "1");
  utimesSync(file, 1, 1);
  await ground.told();
  ground.write("a/b/one.tmp", "2");
  utimesSync(other, 1, 1);
  renameSync(other, file);
  await ground.told();
});

test("a directory that is removed and made again is still watched, however often", async () => {
  const ground = createGround();
  for (let round = 0; round < 5; round += 1) {
    ground.write("a/b/one.yaml", "1");
    await ground.told();
    rmSync(join(ground.root, "a"), { recursive: true });
    await ground.told();
  }
});

test("many changes at once are told once, and files that are no workflows not at all", async () => {
  const ground = createGround();
  for (let index = 0; index < 50; index += 1) ground.write(`a/b/${index}.txt`, "no");
  for (let index = 0; index < 50; index += 1) ground.write(`a/b/${index}.yaml`, "yes");
  await ground.told();
  expect(ground.count()).toBe(1);
});

test("what else decides about the files is looked at like one of them", async () => {
  const root = mkdtempSync(join(tmpdir(), "frond-watch-"));
  let mode = "one";
  let count = 0;
  const stop = watchDirectories(
    [root],
    () => (count += 1),
    () => mode,
  );
  onTestFinished(() => {
    stop();
    rmSync(root, { recursive: true, force: true });
  });
  mode = "two";
  mkdirSync(join(root, "anything"));
  await waitFor("the change to be told", () => count === 1);
});

test("watching keeps no process alive", async () => {
  const root = mkdtempSync(join(tmpdir(), "frond-watch-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const module = JSON.stringify(new URL("./watch-directories.ts", import.meta.url).pathname);
  const places = JSON.stringify([root, join(root, "missing")]);
  const contents = `import { watchDirectories } from ${module}; watchDirectories(${places}, () => {}); console.log("watching");`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    platform: "node",
    write: false,
  });
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", outputFiles[0]?.text ?? ""], {
    timeout: 60_000,
  });
  expect(stdout).toBe("watching\n");
});
