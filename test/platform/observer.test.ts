import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryName } from "../../src/block/temporary-name.ts";
import { newRunId } from "../../src/engine/ids.ts";
import { createRepository } from "../rig/git-repository.ts";
import { makeObserveGround, type ObserveGround } from "./observe-ground.ts";

let ground: ObserveGround;

beforeEach(() => {
  ground = makeObserveGround();
});

/** Below the workspace: those are observed alike in a repository and outside of one. */
describe.each([
  ["in a repository", true],
  ["without a repository", false],
])("what a command changed, %s", (_where, isRepository) => {
  function prepare(): void {
    if (isRepository) createRepository(ground.workspace);
  }

  test("nothing", async () => {
    ground.write("a", "one");
    mkdirSync(ground.at("empty"));
    prepare();
    expect(await ground.observe("true")).toEqual([]);
    expect(await ground.observe("touch a; cat a > /dev/null")).toEqual([]);
    expect(ground.notCaptured).toEqual([]);
  });

  test("nothing of files that blocks beside it are just writing", async () => {
    const [going, coming] = [temporaryName(newRunId(new Date()), 7, 0), temporaryName(newRunId(new Date()), 12, 3)];
    ground.write(`d/${going}`, "one");
    prepare();
    expect(await ground.observe(`rm d/${going}; echo two > d/${coming}; echo -n mine > d/.run_mine.tmp`)).toEqual([
      'd/.run_mine.tmp: missing -> file 644 "mine"',
    ]);
  });

  test("bytes, and the modes of files and directories", async () => {
    ground.write("a", "one");
    ground.write("b", "two");
    ground.write("c", "three");
    ground.write("d/e", "four");
    chmodSync(ground.at("b"), 0o600);
    chmodSync(ground.at("d"), 0o750);
    prepare();
    expect(await ground.observe("echo -n ONE > a; chmod 644 b; chmod 755 c; chmod 700 d")).toEqual([
      'a: file 644 "one" -> file 644 "ONE"',
      'b: file 600 "two" -> file 644 "two"',
      'c: file 644 "three" -> file 755 "three"',
      "d: directory 0750 -> directory 0700",
    ]);
    expect(ground.notCaptured).toEqual([]);
  });

  test("the mode of the workspace itself, which is named", async () => {
    chmodSync(ground.workspace, 0o755);
    ground.write("a", "one");
    prepare();
    expect(await ground.observe("chmod 1700 .; echo -n two > a")).toEqual(['a: file 644 "one" -> file 644 "two"']);
    expect(ground.notCaptured).toEqual([
      { path: ".", why: "its mode was 0755 and is 1700, and that of the workspace itself is not restored" },
    ]);
  });

  test("set-user-id and set-group-id, which are named where undo would not leave them as they were", async () => {
    chmodSync(ground.workspace, 0o755);
    for (const name of ["a", "b", "c", "d", "e", "f", "kept"]) ground.write(name, name);
    for (const name of ["a", "b", "c", "kept"]) chmodSync(ground.at(name), 0o4755);
    chmodSync(ground.at("d"), 0o755);
    prepare();
    const command = "chmod 644 a; chmod 755 b; rm c; chmod 4755 d; chmod 4600 e; chmod 1644 f; touch kept";
    expect(await ground.observe(command)).toEqual([
      'a: file 755 "a" -> file 644 "a"',
      'c: file 755 "c" -> missing',
      'e: file 644 "e" -> file 600 "e"',
      'f: file 644 "f" -> file 1644 "f"',
    ]);
    expect(ground.notCaptured.map(({ path }) => path)).toEqual(["a", "b", "c", "d"]);
    const why = "its mode was 4755, and set-user-id and set-group-id are not restored";
    expect(ground.notCaptured[0]).toEqual({ path: "a", why });
  });

  test("set-group-id of directories, unless they inherit it again", async () => {
    chmodSync(ground.workspace, 0o755);
    for (const name of ["lost", "gained", "gone", "gone/deep", "kept", "shared", "shared/inherits", "shared/own"]) {
      mkdirSync(ground.at(name));
      chmodSync(ground.at(name), name === "gained" || name === "shared/own" ? 0o755 : 0o2755);
    }
    prepare();
    // With "=", because chmod keeps the bit of a directory otherwise.
    await ground.observe("chmod a-s lost; chmod g+s gained; rm -r gone shared/inherits shared/own; chmod =2700 kept");
    const isInherited = process.platform === "linux";
    expect(ground.notCaptured.map(({ path }) => path)).toEqual(
      isInherited
        ? ["gained", "gone", "gone/deep", "lost", "shared/own"]
        : ["gained", "gone", "gone/deep", "lost", "shared/inherits"],
    );
  });

  test("entries made and removed, empty directories among them", async () => {
    ground.write("gone/a", "one");
    mkdirSync(ground.at("hollow"));
    prepare();
    expect(await ground.observe("rm -r gone hollow; mkdir -p made/empty; echo -n x > made/b; ln -s b made/l")).toEqual([
      "gone: directory 0755 -> missing",
      'gone/a: file 644 "one" -> missing',
      "hollow: directory 0755 -> missing",
      "made: missing -> directory 0755",
      'made/b: missing -> file 644 "x"',
      "made/empty: missing -> directory 0755",
      "made/l: missing -> link b",
    ]);
  });

  test("a change that leaves size and times as they were", async () => {
    ground.write("a", "one");
    prepare();
    expect(await ground.observe("touch -r a /tmp/$$; printf two > a; touch -r /tmp/$$ a; rm /tmp/$$")).toEqual([
      'a: file 644 "one" -> file 644 "two"',
    ]);
  });

  test("a file replaced by a directory, and a directory by a file", async () => {
    ground.write("a", "one");
    ground.write("d/b", "two");
    prepare();
    expect(await ground.observe("rm a; mkdir a; echo -n x > a/c; rm -r d; echo -n y > d")).toEqual([
      'a: file 644 "one" -> directory 0755',
      'a/c: missing -> file 644 "x"',
      'd: directory 0755 -> file 644 "y"',
      'd/b: file 644 "two" -> missing',
    ]);
  });

  test("links as links, wherever they lead", async () => {
    ground.write("d/a", "one");
    symlinkSync("d", ground.at("l"));
    symlinkSync("nowhere", ground.at("m"));
    symlinkSync("/etc", ground.at("n"));
    prepare();
    expect(await ground.observe("echo -n two > l/a; ln -sfn elsewhere m; rm l; mkdir l")).toEqual([
      'd/a: file 644 "one" -> file 644 "two"',
      "l: link d -> directory 0755",
      "m: link nowhere -> link elsewhere",
    ]);
  });

  test("names of any bytes", async () => {
    ground.write("ä b\n", "one");
    ground.write(":(top)x", "two");
    ground.write("-r", "three");
    writeFileSync(Buffer.concat([Buffer.from(`${ground.workspace}/`), Buffer.of(0x66, 0xff)]), "four");
    prepare();
    const command = "for f in *; do printf new > \"./$f\"; done; printf x > $'\\xfe\\n'";
    expect(await ground.observe(command)).toEqual([
      '-r: file 644 "three" -> file 644 "new"',
      ':(top)x: file 644 "two" -> file 644 "new"',
      'f\udcff: file 644 "four" -> file 644 "new"',
      'ä b\n: file 644 "one" -> file 644 "new"',
      '\udcfe\n: missing -> file 644 "x"',
    ]);
  });

  test("what is too large is named before the command runs, and after it if that has changed it", async () => {
    ground.write("large", "");
    truncateSync(ground.at("large"), 60_000_000);
    ground.write("a", "one");
    prepare();
    await ground.begin();
    expect(ground.notCaptured).toEqual([{ path: "large", why: "it is larger than 50 MB" }]);
    expect(await ground.observe("true")).toEqual([]);
    expect(ground.notCaptured).toEqual([]);
    expect(await ground.observe("rm large a")).toEqual(['a: file 644 "one" -> missing']);
    expect(ground.notCaptured).toEqual([{ path: "large", why: "it was removed, and it is larger than 50 MB" }]);
  });

  test("FIFOs are named, and nobody waits for what comes out of them", async () => {
    prepare();
    expect(await ground.observe("mkfifo f")).toEqual([]);
    expect(ground.notCaptured).toEqual([{ path: "f", why: "it was made, and it is neither a file nor a directory" }]);
  });

  test("from the snapshot alone, by another process, and again", async () => {
    ground.write("a", "one");
    ground.write("b/c", "two");
    prepare();
    const snapshot = await ground.begin();
    ground.write("a", "ONE");
    ground.write("b/d", "new");
    const request = { runId: "run_2", workspace: ground.workspace, signal: new AbortController().signal };
    const [first, second] = [
      await ground.restart().compare(snapshot, request),
      await ground.restart().compare(snapshot, request),
    ];
    expect(second).toEqual(first);
    expect(first).toMatchObject({ ok: true, value: { changes: [{ at: { path: "a" } }, { at: { path: "b/d" } }] } });
  });

  test("what Frond itself keeps in the workspace does not count", async () => {
    prepare();
    expect(await ground.observe("mkdir -p .scratch/run_1; echo x > .scratch/run_1/f")).toEqual([]);
  });
});

test("more than a run may keep is named before the command runs", async () => {
  ground = makeObserveGround(100_000);
  ground.write("a", "x".repeat(60_000));
  ground.write("b", "y".repeat(60_000));
  ground.write("c", "small");
  const snapshot = await ground.begin();
  expect(ground.notCaptured.map(({ path }) => path)).toHaveLength(1);
  const [lost] = ground.notCaptured;
  expect(lost?.why).toMatch(/^the run has reached the .* FROND_MAX_UNDO_MB/);
  ground.write(lost?.path ?? "", "z");
  const { notCaptured } = await ground.compare(snapshot);
  expect(notCaptured).toEqual([{ path: lost?.path, why: `it was changed, and ${lost?.why}` }]);
});

test("of what git has, more than a run may keep is named when it was changed, with the reason", async () => {
  ground = makeObserveGround(100_000);
  for (const name of ["a", "b"]) ground.write(name, name.repeat(60_000));
  createRepository(ground.workspace);
  const snapshot = await ground.begin();
  for (const name of ["a", "b"]) ground.write(name, "changed");
  const { changes, notCaptured } = await ground.compare(snapshot);
  expect(changes).toHaveLength(2);
  expect(notCaptured).toEqual([{ path: expect.any(String), why: expect.stringMatching(/^the run has reached the /) }]);
});

test("bytes with a secret are kept nowhere", async () => {
  ground.write("a", "hush");
  ground.write("b", "hush in git");
  createRepository(ground.workspace);
  ground.write("c", "hush too");
  const isSecret = (bytes: Uint8Array): boolean => Buffer.from(bytes).includes("hush");
  const { workspace, observer, blobs } = ground;
  const request = { runId: "run_1", workspace, signal: new AbortController().signal, holdsSecret: isSecret };
  const begun = await observer.begin({ ...request, writes: [] });
  if (!begun.ok) throw new Error(begun.error);
  expect(begun.value.notCaptured).toEqual([{ path: "c", why: "it holds a secret, which is kept nowhere" }]);
  for (const name of ["a", "b", "c"]) ground.write(name, `new ${name}`);
  const compared = await observer.compare(begun.value.snapshot, request);
  if (!compared.ok) throw new Error(compared.error);
  for (const change of compared.value.changes) {
    if (change.kind !== "observed" || change.before.kind !== "file") throw new Error(change.kind);
    expect(change.before.kept).toBeUndefined();
    expect(await blobs.get(change.before.sha256)).toBeUndefined();
  }
  expect(compared.value.notCaptured.map(({ path }) => path)).toEqual(["a", "b"]);
});

test("whoever does not wait any more is answered at once", async () => {
  const abort = new AbortController();
  const begun = ground.observer.begin({
    runId: "run_1",
    workspace: ground.workspace,
    writes: [],
    signal: abort.signal,
  });
  abort.abort(new Error("enough"));
  await expect(begun).rejects.toThrow("enough");
  expect(await ground.observe("echo -n x > a")).toEqual(['a: missing -> file 644 "x"']);
});
