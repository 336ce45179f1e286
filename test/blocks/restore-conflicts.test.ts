import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, test } from "vitest";
import type { Execution } from "../../src/engine/execution.ts";
import type { Outcome } from "../rig/engine.ts";
import { restoreBlocks } from "../rig/restore-blocks.ts";
import { compareSnapshots, takeSnapshot } from "../undo/tree-snapshot.ts";
import { type Ground, prepare, succeed } from "./restore-ground.ts";

describe("what somebody else has changed since", () => {
  /** The run edits `text`, makes `made/x`, deletes `windows`. */
  async function change({ engine }: Ground): Promise<Outcome> {
    return succeed(engine, [
      {
        type: "EditFile",
        inputs: { path: "text", operations: [{ type: "replace_text", old_text: "one", new_text: "ONE" }] },
      },
      { type: "CreateFile", inputs: { path: "made/x", content: "x" } },
      { type: "DeleteFile", inputs: { path: "windows" } },
    ]);
  }

  async function undo({ engine }: Ground, { events }: Outcome, rule: string): Promise<Execution> {
    const { state } = await engine.run({ blocks: restoreBlocks(events, { on_conflict: rule }) });
    return state.root.record.blocks.back0 as Execution;
  }

  const tamperings: Readonly<Record<string, readonly [tamper: (at: Ground["at"]) => void, path: string, why: string]>> =
    {
      "an edited file": [(at) => writeFileSync(at("text"), "mine"), "text", "it was changed since"],
      "a file with other permissions": [
        (at) => chmodSync(at("text"), 0o611),
        "text",
        "its permissions were changed since",
      ],
      "a deleted file": [(at) => unlinkSync(at("text")), "text", "it was deleted since"],
      "a file made where one was deleted": [
        (at) => writeFileSync(at("windows"), "mine"),
        "windows",
        "something was put there since",
      ],
      "a directory in the place of a file": [
        (at) => {
          unlinkSync(at("text"));
          mkdirSync(at("text/inner"), { recursive: true });
        },
        "text",
        "it was replaced since, and is a directory now",
      ],
      "a link in the place of a file": [
        (at) => {
          unlinkSync(at("text"));
          symlinkSync("empty", at("text"));
        },
        "text",
        "it was replaced since, and is a symbolic link now",
      ],
      "a link in the place of a directory": [
        (at) => {
          rmSync(at("made"), { recursive: true });
          symlinkSync("dir", at("made"));
        },
        "made",
        "it was replaced since, and is a symbolic link now",
      ],
      "a file in a directory that was made": [
        (at) => writeFileSync(at("made/mine"), "mine"),
        "made",
        "not empty: it holds 'mine', which undo does not remove",
      ],
    };

  test.each(Object.entries(tamperings))("stays and is reported: %s", async (_name, [tamper, path, reason]) => {
    const ground = prepare();
    const done = await change(ground);
    tamper(ground.at);
    const mine = takeSnapshot(ground.engine.workspace);
    const { metadata, outputs } = await undo(ground, done, "keep");
    expect(metadata).toMatchObject({ outcome: "failure", message: expect.stringContaining(`'${path}': ${reason}`) });
    expect(outputs.conflicts).toMatchObject([{ path, reason }]);
    const left = ground.differences();
    expect(left.length).toBeGreaterThan(0);
    const now = takeSnapshot(ground.engine.workspace);
    // All of what somebody did is there, and everything else is as before.
    if (path !== "made") expect(now.get(path)?.what).toEqual(mine.get(path)?.what);
    const touched = new Set(
      left.map(
        (line) =>
          line
            .split(/[ :]/)
            .find((word) => /^(text|made|windows)/.test(word))
            ?.split("/")[0],
      ),
    );
    expect([...touched]).toEqual([path]);
  });

  test.each(Object.entries(tamperings).filter(([name]) => !/directory/.test(name)))(
    "is restored if that is forced, and can be had again: %s",
    async (_name, [tamper]) => {
      const ground = prepare();
      const done = await change(ground);
      tamper(ground.at);
      const mine = takeSnapshot(ground.engine.workspace);
      const { state, events } = await ground.engine.run({
        blocks: restoreBlocks(done.events, { on_conflict: "force" }),
      });
      expect(state.root.record.blocks.back0?.outputs).toMatchObject({ conflicts: [] });
      expect(ground.differences()).toEqual([]);
      await succeed(ground.engine, restoreBlocks(events));
      expect(compareSnapshots(mine, takeSnapshot(ground.engine.workspace))).toEqual([]);
    },
  );

  test("no force removes a directory with somebody's files in it", async () => {
    const ground = prepare();
    const done = await change(ground);
    tamperings["a directory in the place of a file"]?.[0](ground.at);
    const { outputs } = await undo(ground, done, "force");
    expect(outputs.conflicts).toMatchObject([{ path: "text", reason: expect.stringContaining("not empty") }]);
    expect(existsSync(ground.at("text/inner"))).toBe(true);
    expect(existsSync(ground.at("windows"))).toBe(true);
  });

  test("is merged where the changes are apart, once", async () => {
    const ground = prepare();
    const done = await change(ground);
    writeFileSync(ground.at("text"), "ONE\ntwo\nTHREE\n");
    const { metadata, outputs } = await undo(ground, done, "merge");
    expect(metadata.succeeded, String(metadata.message)).toBe(true);
    expect(outputs).toMatchObject({ conflicts: [] });
    expect(readFileSync(ground.at("text"), "utf8")).toBe("one\ntwo\nTHREE\n");
    const again = await undo(ground, done, "merge");
    expect(again.outputs).toMatchObject({ restored: 0, conflicts: [] });
    expect(readFileSync(ground.at("text"), "utf8")).toBe("one\ntwo\nTHREE\n");
  });

  test.each([
    ["the same line", "mine\ntwo\nthree\n", "the same lines were changed since"],
    ["no text", "\0\0", "it is not text"],
  ])("is not merged where it can't be: %s", async (_name, content, reason) => {
    const ground = prepare();
    const done = await change(ground);
    writeFileSync(ground.at("text"), content);
    const { outputs } = await undo(ground, done, "merge");
    expect(outputs.conflicts).toMatchObject([{ path: "text", reason: expect.stringContaining(reason) }]);
    expect(readFileSync(ground.at("text"), "utf8")).toBe(content);
    expect(existsSync(ground.at("windows"))).toBe(true);
  });

  test.each([
    ["keep", "ONE\ntwo\nTHREE\n"],
    ["merge", "one\ntwo\nTHREE\n"],
    ["force", "one\ntwo\nthree\n"],
  ])("is asked about before anything is changed: %s", async (answer, content) => {
    const ground = prepare();
    const done = await change(ground);
    writeFileSync(ground.at("text"), "ONE\ntwo\nTHREE\n");
    const run = await ground.engine.start({ blocks: restoreBlocks(done.events, { on_conflict: "ask" }) });
    const { events } = await run.settled;
    expect(events.find(({ type }) => type === "block-paused")).toMatchObject({
      question: { text: expect.stringContaining("'text': it was changed since"), choices: ["keep", "merge", "force"] },
    });
    expect(existsSync(ground.at("windows"))).toBe(false);
    expect((await run.answer("back0", answer)).ok).toBe(true);
    const outcome = await run.goOn();
    expect(outcome.response.status).toBe(answer === "keep" ? "failure" : "success");
    expect(readFileSync(ground.at("text"), "utf8")).toBe(content);
    expect(existsSync(ground.at("windows"))).toBe(true);
  });

  test("nobody is asked where nothing is to be decided", async () => {
    const ground = prepare();
    const done = await change(ground);
    const { metadata } = await undo(ground, done, "ask");
    expect(metadata.succeeded).toBe(true);
    expect(ground.differences()).toEqual([]);
  });
});
