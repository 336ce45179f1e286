import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createTestEngine, type TestEngine } from "../rig/engine.ts";
import { createRepository, git } from "../rig/git-repository.ts";
import { takeBack } from "./take-back.ts";
import { compareSnapshots, takeSnapshot } from "./tree-snapshot.ts";

/** Everything in a workspace, nested repositories as well; of the first `.git` only what the user sees is compared. */
const skips = new Set([".scratch"]);

interface Ground {
  readonly engine: TestEngine;
  write(path: string, content: string, mode?: number): void;
  directory(path: string, mode?: number): void;
  link(path: string, target: string): void;
  git(...args: readonly string[]): string;
}

function createGround(): Ground {
  const engine = createTestEngine();
  const at = (path: string): string => join(engine.workspace, path);
  return {
    engine,
    write(path, content, mode = 0o644) {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), content, "latin1");
      chmodSync(at(path), mode);
    },
    directory(path, mode = 0o755) {
      mkdirSync(at(path), { recursive: true });
      chmodSync(at(path), mode);
    },
    link: (path, target) => symlinkSync(target, at(path)),
    git: (...args) => git(engine.workspace, ...args),
  };
}

interface Course {
  /** What is different after the undo. */
  readonly differences: readonly string[];
  readonly problem: string | undefined;
  /** What the command changed. */
  readonly changed: readonly string[];
}

/** Runs a command whose effects are observed, and takes it back. */
async function runAndTakeBack({ engine }: Ground, command: string, more: object = {}): Promise<Course> {
  const before = takeSnapshot(engine.workspace, "", withoutGit);
  const run = await engine.start({
    blocks: [{ id: "it", type: "Shell", inputs: { command, strict: true }, effects: "observe", ...more }],
  });
  const { response } = await run.settled;
  expect(response.status, JSON.stringify(response)).toBe("success");
  const changed = compareSnapshots(before, takeSnapshot(engine.workspace, "", withoutGit));
  const { problem } = await takeBack(engine, run.runId);
  const differences = compareSnapshots(before, takeSnapshot(engine.workspace, "", withoutGit));
  return { differences, problem, changed };
}

const withoutGit = new Set([...skips, ".git"]);

/** That it did something, and that nothing of it is left. */
const takenBack = { differences: [], problem: undefined };

async function expectTakenBack(ground: Ground, command: string, more: object = {}): Promise<void> {
  const course = await runAndTakeBack(ground, command, more);
  expect(course.changed).not.toEqual([]);
  expect(course).toMatchObject(takenBack);
}

test.each(["tracked", "untracked"])("CRLF stays CRLF under text=auto, in a %s file", async (kind) => {
  const ground = createGround();
  ground.write(".gitattributes", "* text=auto\n");
  if (kind === "tracked") ground.write("a.txt", "one\r\ntwo\r\n");
  createRepository(ground.engine.workspace);
  ground.write("a.txt", "one\r\ntwo\r\n");
  await expectTakenBack(ground, "printf 'other\\n' > a.txt");
});

test("a file with mode 0600, which git does not know, comes back with it", async () => {
  const ground = createGround();
  ground.write("secretive", "text\n", 0o600);
  ground.write("script", "#!/bin/sh\n", 0o700);
  createRepository(ground.engine.workspace);
  await expectTakenBack(ground, "rm secretive script; printf other > secretive");
  await expectTakenBack(ground, "chmod 644 secretive; chmod 755 script");
});

test("set-user-id and set-group-id do not come back, which is told, and everything else does", async () => {
  const ground = createGround();
  for (const name of ["changed", "edited", "removed"]) ground.write(name, "text\n", 0o4755);
  ground.write("given", "text\n", 0o755);
  ground.directory("shared", 0o2750);
  ground.directory("sticky", 0o1777);
  ground.directory("inherits", 0o2755);
  ground.directory("inherits/inner", 0o2755);
  createRepository(ground.engine.workspace);
  const commands = [
    "chmod 644 changed; printf other > edited; rm removed; chmod 4755 given",
    "chmod =700 shared; chmod =755 sticky; rm -r inherits/inner",
  ];
  const { differences, problem } = await runAndTakeBack(ground, commands.join("\n"));
  const told = new Set(problem?.match(/\w+(?=: its mode was)/g));
  expect(differences.map((line) => line.slice(0, line.indexOf(":")))).toEqual([...told]);
  expect([...told]).toEqual(["changed", "edited", "given", "removed", "shared"]);
  const { what } = takeSnapshot(ground.engine.workspace).get("changed") ?? {};
  expect(what).toMatchObject({ mode: 0o755, bytes: Buffer.from("text\n") });
});

test("empty directories, which git does not know, come back and go away", async () => {
  const ground = createGround();
  ground.directory("empty", 0o700);
  ground.directory("nested/empty");
  createRepository(ground.engine.workspace);
  await expectTakenBack(ground, "rmdir empty; rm -r nested; mkdir -p new/empty");
});

test("an ignored file comes back when `writes` names it", async () => {
  const ground = createGround();
  ground.write(".gitignore", "build/\n*.log\n");
  ground.write("build/out.bin", "built\n");
  ground.write("run.log", "log\n");
  ground.write("build/kept", "kept\n");
  createRepository(ground.engine.workspace);
  const command = "printf new > build/out.bin; printf more > build/deep.bin; rm run.log";
  await expectTakenBack(ground, command, { writes: ["build/**", "*.log"] });
});

test("an ignored file that `writes` does not name stays as the command left it, and nothing else does", async () => {
  const ground = createGround();
  ground.write(".gitignore", "build/\n");
  ground.write("build/out.bin", "built\n");
  ground.write("seen", "seen\n");
  createRepository(ground.engine.workspace);
  const { differences } = await runAndTakeBack(ground, "printf new > build/out.bin; printf new > seen");
  expect(differences).toEqual([expect.stringMatching(/^build\/out\.bin: /)]);
});

test("a command that changes what git ignores hides nothing of what it makes", async () => {
  const ground = createGround();
  ground.write(".gitignore", "*.log\n");
  createRepository(ground.engine.workspace);
  await expectTakenBack(ground, "echo 'new*' >> .gitignore; mkdir newer; echo x > newer/a; echo x > new1");
});

test("files of a nested repository come back", async () => {
  const ground = createGround();
  ground.write("inner/tracked", "tracked\n");
  createRepository(join(ground.engine.workspace, "inner"));
  ground.write("inner/untracked", "untracked\n", 0o600);
  ground.write("outer", "outer\n");
  createRepository(ground.engine.workspace);
  await expectTakenBack(ground, "printf new > inner/tracked; rm inner/untracked; printf new > inner/made");
});

test("a symlink to a directory comes back as a link, and what is written through it as well", async () => {
  const ground = createGround();
  ground.write("real/file", "file\n");
  ground.link("way", "real");
  ground.link("gone", "nowhere");
  createRepository(ground.engine.workspace);
  await expectTakenBack(ground, "printf new > way/file; printf new > way/made");
  await expectTakenBack(ground, "rm way; mkdir way; printf in > way/file; ln -sfn elsewhere gone");
});

test("a file that was replaced by a directory, and a directory by a file or a link", async () => {
  const ground = createGround();
  ground.write("file", "file\n", 0o640);
  ground.write("directory/deep/inner", "inner\n");
  ground.directory("directory/empty");
  ground.write("other/inner", "inner\n");
  createRepository(ground.engine.workspace);
  const commands = [
    "rm file; mkdir -p file/deep; printf in > file/deep/inner",
    "rm -r directory; printf now > directory",
    "rm -r other; ln -s directory other",
  ];
  await expectTakenBack(ground, commands.join("\n"));
});

test("a commit that the command made is taken back with its files, and other refs stay", async () => {
  const ground = createGround();
  ground.write("a.txt", "one\n");
  createRepository(ground.engine.workspace);
  ground.git("branch", "other");
  const refs = (): string => ground.git("for-each-ref", "--format=%(refname) %(objectname)");
  const before = refs();
  const settings = "git -c user.name=Test -c user.email=test@example.org";
  const commit = `printf two > a.txt; printf new > b.txt; git add --all; ${settings} commit --quiet --message=Second`;
  await expectTakenBack(ground, commit);
  expect(refs()).toBe(before);
  expect(ground.git("rev-parse", "--abbrev-ref", "HEAD")).toBe("main");
});

test("a branch that the command made and went to is left again", async () => {
  const ground = createGround();
  ground.write("a.txt", "one\n");
  createRepository(ground.engine.workspace);
  await expectTakenBack(ground, "git switch --quiet --create topic; printf two > a.txt");
  expect(ground.git("rev-parse", "--abbrev-ref", "HEAD")).toBe("main");
  expect(ground.git("branch", "--list", "topic")).toBe("");
});

test("a file above the limit is named as not captured, before and after, and everything else comes back", async () => {
  const ground = createGround();
  ground.write("small", "small\n");
  const large = join(ground.engine.workspace, "large");
  writeFileSync(large, "");
  truncateSync(large, 50_000_001);
  const { engine } = ground;
  const run = await engine.start({
    blocks: [
      {
        id: "it",
        type: "Shell",
        inputs: { command: "printf more >> large; printf more >> small" },
        effects: "observe",
      },
    ],
  });
  const { events } = await run.settled;
  const observed = events.find(({ type }) => type === "changes-observed");
  expect(JSON.stringify(observed)).toContain("large");
  const { problem } = await takeBack(engine, run.runId);
  expect(problem).toContain("large");
  const after = takeSnapshot(engine.workspace);
  expect(after.get("small")?.what).toMatchObject({ bytes: Buffer.from("small\n") });
  expect(after.get("large")?.what).toMatchObject({
    kind: "file",
    bytes: expect.objectContaining({ length: 50000005 }),
  });
});
