import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mountMemory } from "../journal/small-disk.ts";
import { openFile } from "../journal/sqlite-file.ts";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { typeCommand } from "../rig/person.ts";

const touching = workflow("touching", [shell("it", "touch ran")]);

interface Refusal {
  readonly code: number;
  readonly reply: { readonly error: string; readonly errors: readonly { readonly code: string }[] };
}

/** Refused with one line that names the place, and nothing has run. */
async function expectRefused(frond: Frond, state: string, code: string): Promise<void> {
  const env = { FROND_STATE_DIR: state };
  const refused = (await frond.alone.json(["run", "touching.yaml"], { env })) as Refusal;
  expect(refused).toMatchObject({ code: 1, reply: { status: "failure", errors: [{ code }] } });
  expect(refused.reply.error).not.toContain("\n");
  expect(refused.reply.error).toContain(state);
  const { stderr, stdout } = await frond.alone.run(["run", "touching.yaml"], { env });
  expect(stdout).toBe("");
  expect(stderr).toBe(`error: ${refused.reply.error} [${code}]\n`);
}

async function expectRuns(frond: Frond, state: string): Promise<void> {
  expect(await frond.alone.json(["run", "touching.yaml"], { env: { FROND_STATE_DIR: state } })).toMatchObject({
    code: 0,
  });
}

test("a database that is broken is one clear line, and with it out of the way everything works", async () => {
  const frond = createFrond({ "touching.yaml": touching });
  const state = join(frond.home, "state");
  mkdirSync(state, { mode: 0o700 });
  const file = join(state, "frond.db");
  writeFileSync(file, "not a database ".repeat(1000));
  await expectRefused(frond, state, "journal-corrupt");
  renameSync(file, `${file}.broken`);
  await expectRuns(frond, state);
});

test("a database of a newer Frond is one clear line, and nothing in it is changed", async () => {
  const frond = createFrond({ "touching.yaml": touching });
  const state = join(frond.home, "state");
  await expectRuns(frond, state);
  const set = (version: number): void => {
    const database = openFile(state);
    database.exec(`PRAGMA user_version = ${version}`);
    database.close();
  };
  const database = openFile(state);
  const before = Number(Object.values(database.prepare("PRAGMA user_version").get() ?? {})[0]);
  database.close();
  set(before + 1000);
  await expectRefused(frond, state, "journal-newer");
  set(before);
  expect(await frond.alone.json(["runs"], { env: { FROND_STATE_DIR: state } })).toMatchObject({
    reply: { runs: [{ status: "success" }] },
  });
});

test("a state directory that is a file, or would lie in one, is one clear line, also for the doctor", async () => {
  const frond = createFrond({ "touching.yaml": touching });
  const file = join(frond.home, "file");
  writeFileSync(file, "");
  for (const [state, problem] of [
    [file, "is not a directory"],
    [join(file, "state"), `can't be made: ${file} is not a directory`],
  ] as const) {
    await expectRefused(frond, state, "journal-unusable");
    const env = { FROND_STATE_DIR: state };
    const said = `The state directory ${state} ${problem}. Choose another one with FROND_STATE_DIR.`;
    expect((await frond.alone.run(["run", "touching.yaml"], { env })).stderr).toBe(
      `error: ${said} [journal-unusable]\n`,
    );
    expect((await frond.alone.run(["doctor"], { env })).stdout).toContain(`state directory  ${said}`);
    expect((await frond.alone.run(["trust"], { env })).stderr).toContain(`The state directory ${state} ${problem}.`);
  }
});

test("a relative state directory is not taken silently: what the warning says to set finds the runs from anywhere", async () => {
  const frond = createFrond({ "touching.yaml": touching });
  const { code, stderr } = await frond.alone.run(["run", "touching.yaml"], { env: { FROND_STATE_DIR: "state" } });
  expect(code).toBe(0);
  const [, absolute = ""] = /^warning: FROND_STATE_DIR is 'state', .* Set it to (\/.*)$/m.exec(stderr) ?? [];
  const found = await typeCommand(frond, "frond runs --all", { env: { FROND_STATE_DIR: absolute } });
  expect(found.stdout).toContain("touching");
  expect(found.stdout).not.toContain("warning");
});

test.runIf(process.platform !== "win32")(
  "a directory that others use is not closed to them: it is refused as the state directory",
  async () => {
    const frond = createFrond({ "touching.yaml": touching, "shared/theirs": "" });
    chmodSync(join(frond.directory, "shared"), 0o755);
    const state = join(frond.directory, "shared");
    await expectRefused(frond, state, "journal-unusable");
    const { code, stderr } = await frond.alone.run(["trust"], { env: { FROND_STATE_DIR: state } });
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain("holds files of something else, and other users can look into it.");
    expect(statSync(state).mode & 0o777).toBe(0o755);
    // One that is empty becomes ours.
    mkdirSync(join(frond.directory, "empty"), { mode: 0o755 });
    const env = { FROND_STATE_DIR: join(frond.directory, "empty") };
    expect((await frond.alone.run(["run", "touching.yaml"], { env })).code).toBe(0);
    expect(statSync(join(frond.directory, "empty")).mode & 0o777).toBe(0o700);
  },
);

test.runIf(existsSync("/proc/self"))("a place where no directory can be made is one clear line at once", async () => {
  const frond = createFrond({ "touching.yaml": touching });
  const state = "/proc/frond/state";
  await expectRefused(frond, state, "journal-unusable");
  const env = { FROND_STATE_DIR: state };
  const said = `The state directory ${state} can't be made: /proc shows the system, and takes no directories.`;
  expect((await frond.alone.run(["doctor"], { env })).stdout).toContain(said);
  for (const args of [["runs"], ["trust"], ["serve", "--http", "0"]]) {
    const { code, stderr } = await frond.alone.run(args, { env });
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain(said);
    expect(stderr).not.toContain("ENOENT");
  }
});

test("a full disk is one clear line, and when there is space again everything works", async (context) => {
  const disk = mountMemory(context);
  const frond = createFrond({ "touching.yaml": touching });
  await expectRuns(frond, disk.directory);
  disk.fill(0);
  await expectRefused(frond, disk.directory, "journal-full");
  disk.empty();
  await expectRuns(frond, disk.directory);
});

test("a disk that fills up during a run is waited for: the run goes on when there is space, and nothing is lost", async (context) => {
  const disk = mountMemory(context);
  const blocks = [
    shell("first", "echo once >> first; while [ ! -e full ]; do sleep 0.02; done"),
    shell("second", "echo once >> second", { depends_on: ["first"] }),
  ];
  const frond = createFrond({ "filling.yaml": workflow("filling", blocks) });
  const env = { FROND_STATE_DIR: disk.directory };
  const run = frond.start(["run", "filling.yaml"], { env });
  await run.until("start   first");
  disk.fill(0);
  frond.write("full", "");
  await run.complaint("Trying again");
  expect(run.shown()).not.toContain("ok      first");
  disk.empty();
  expect((await run.ended).code).toBe(0);
  expect(await frond.alone.json(["show", "last"], { env })).toMatchObject({ reply: { status: "success" } });
});

test("a state directory that can't be written to lets runs be looked at, and refuses new ones with one clear line", async (context) => {
  const disk = mountMemory(context);
  const frond = createFrond({ "touching.yaml": touching });
  await expectRuns(frond, disk.directory);
  rmSync(join(frond.directory, "ran"));
  disk.makeReadOnly();
  expect(await frond.alone.json(["runs"], { env: { FROND_STATE_DIR: disk.directory } })).toMatchObject({
    code: 0,
    reply: { runs: [{ status: "success" }] },
  });
  await expectRefused(frond, disk.directory, "journal-read-only");
  disk.makeWritable();
  await expectRuns(frond, disk.directory);
});
