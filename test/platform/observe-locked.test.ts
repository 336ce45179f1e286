import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";

const isRoot = process.getuid?.() === 0;
const somebody = 65_534;
let directory: string;
let program: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "frond-observe-locked-"));
  // What is run may be run by another user: root reads everything.
  chmodSync(directory, 0o755);
  program = join(directory, "worker.mjs");
  const entry = new URL("observe-worker.ts", import.meta.url).pathname;
  await build({ entryPoints: [entry], outfile: program, bundle: true, platform: "node", format: "esm" });
});
afterAll(() => {
  spawnSync("chmod", ["-R", "u+rwX", directory]);
  rmSync(directory, { recursive: true, force: true });
});

interface Seen {
  readonly before: readonly { readonly path: string; readonly why: string }[];
  readonly changes: readonly { readonly path: string }[];
  readonly notCaptured: readonly { readonly path: string; readonly why: string }[];
}

function observe(name: string, prepare: (workspace: string) => void, command: string): Seen {
  const [workspace, indexes] = [join(directory, name), join(directory, `${name}-indexes`)];
  for (const made of [workspace, indexes]) mkdirSync(made);
  prepare(workspace);
  const own = (path: string): void => {
    if (!isRoot) return;
    if (statSync(path).isDirectory()) for (const entry of readdirSync(path)) own(join(path, entry));
    chownSync(path, somebody, somebody);
  };
  for (const made of [workspace, indexes]) own(made);
  const input = JSON.stringify({ workspace, indexes, command });
  const user = isRoot ? { uid: somebody, gid: somebody } : {};
  const { stdout, stderr } = spawnSync(process.execPath, [program], { input, cwd: "/", ...user, encoding: "utf8" });
  expect(stderr).toBe("");
  return JSON.parse(stdout) as Seen;
}

test("a directory that may not be read is named, and nothing is claimed of what is in it", () => {
  const prepare = (workspace: string): void => {
    mkdirSync(join(workspace, "locked"));
    writeFileSync(join(workspace, "locked/a"), "one");
    writeFileSync(join(workspace, "b"), "two");
    chmodSync(join(workspace, "locked"), 0);
  };
  const { before, changes, notCaptured } = observe("closed", prepare, "chmod 700 locked; rm b");
  expect(before).toEqual([{ path: "locked", why: "it can't be read: permission denied" }]);
  expect(changes.map(({ path }) => path)).toEqual(["b", "locked"]);
  expect(notCaptured).toEqual([]);
});

test("what is in a directory that a command closes is not taken for gone", () => {
  const prepare = (workspace: string): void => {
    mkdirSync(join(workspace, "open"));
    writeFileSync(join(workspace, "open/a"), "one");
  };
  const { changes, notCaptured } = observe("closing", prepare, "chmod 0 open");
  expect(changes).toMatchObject([{ path: "open", before: { mode: 0o755 }, after: { mode: 0 } }]);
  expect(notCaptured).toEqual([{ path: "open", why: "it can't be read: permission denied" }]);
});

test("a file that may not be read is named, and again when it is removed", () => {
  const prepare = (workspace: string): void => writeFileSync(join(workspace, "a"), "one", { mode: 0 });
  const { before, changes, notCaptured } = observe("file", prepare, "rm -f a");
  expect(before).toEqual([{ path: "a", why: "EACCES" }]);
  expect(changes).toEqual([]);
  expect(notCaptured).toEqual([{ path: "a", why: "it was removed, and EACCES" }]);
});
