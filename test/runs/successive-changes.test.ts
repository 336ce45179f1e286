import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import type { FileChange } from "../../src/block/block-files.ts";
import type { BlockContext, BlockType } from "../../src/block/define-block.ts";
import { once } from "../../src/util/once.ts";
import { createTestEngine } from "../rig/engine.ts";
import { readTree } from "../rig/file-tree.ts";
import { createMachine } from "../rig/machine.ts";
import { waitFor } from "../rig/wait-for.ts";

type Change = (context: BlockContext) => FileChange;

const write =
  (path: string, text: string): Change =>
  ({ files }) => ({ kind: "write", at: files.locateForChange(path, false), bytes: Buffer.from(text) });
const remove =
  (path: string): Change =>
  ({ files }) => ({ kind: "remove", at: files.locateForChange(path, false) });
const makeDirectory =
  (path: string): Change =>
  ({ files }) => ({ kind: "make-directory", at: files.locateForChange(path, false) });
const rename =
  (from: string, to: string): Change =>
  ({ files }) => ({
    kind: "rename",
    from: files.locateForChange(from, false),
    to: files.locateForChange(to, false),
  });

function changing(type: string, changes: readonly Change[], around: (change: () => Promise<void>) => Promise<void>) {
  return {
    type,
    summary: "Changes files",
    inputs: once(() => z.strictObject({})),
    outputs: once(() => z.strictObject({ done: z.boolean() })),
    defaultOutputs: { done: false },
    capabilities: ["writes files"],
    undo: "automatic",
    onInterrupted: "rerun",
    behaviour: {
      kind: "leaf",
      async run(_input, context) {
        await around(async () => {
          const announced = changes.map((change) => change(context));
          const problem = await context.files.change(announced, { done: true });
          if (problem !== undefined) throw new Error(problem.message);
        });
        return { kind: "succeeded", outputs: { done: true } };
      },
    },
  } satisfies BlockType;
}

/** In a workspace with the file `a`, which holds "old", and the empty directory `d`. */
const courses: Readonly<Record<string, { first: readonly Change[]; second: readonly Change[] }>> = {
  "changed once more": { first: [write("a", "one")], second: [write("a", "two")] },
  "changed back": { first: [write("a", "one")], second: [write("a", "old")] },
  "deleted after it was changed": { first: [write("a", "one")], second: [remove("a")] },
  "made again after it was deleted": { first: [remove("a")], second: [write("a", "old")] },
  "made again as a directory": { first: [remove("d")], second: [makeDirectory("d")] },
  "replaced where it was moved away": { first: [rename("a", "b")], second: [write("a", "old")] },
  "deleted where it was moved to": { first: [rename("a", "b")], second: [remove("b")] },
  "moved back": { first: [rename("a", "b")], second: [rename("b", "a")] },
  "deleted with the directory made for it": {
    first: [makeDirectory("e"), write("e/x", "one")],
    second: [remove("e/x"), remove("e")],
  },
};

test.each(Object.keys(courses))(
  "a block that was done is known to be, although another one has changed its file since: %s",
  async (name) => {
    const { first, second } = courses[name] as (typeof courses)[string];
    const machine = createMachine();
    writeFileSync(join(machine.workspace, "a"), "old");
    mkdirSync(join(machine.workspace, "d"));
    let isMade = () => {};
    const made = new Promise<void>((resolve) => {
      isMade = resolve;
    });
    const neverTold = changing("First", first, async (change) => {
      await change();
      isMade();
      await new Promise(() => {});
    });
    const types = [neverTold, changing("Second", second, (change) => made.then(change))];
    const dying = createTestEngine({ types, machine });
    const { runId } = await dying.start(
      {
        blocks: [
          { id: "first", type: "First" },
          { id: "second", type: "Second" },
        ],
      },
      {
        onEvents(events) {
          if (events.some((event) => event.type === "block-finished")) dying.process.die();
        },
      },
    );
    await waitFor("the process to die", () => dying.process.isDead);
    const left = readTree(machine.workspace);

    const { response, state } = await (await createTestEngine({ types, machine }).takeOver(runId)).settled;
    expect(response.status, JSON.stringify(response)).toBe("success");
    expect(state.nodes.get("first")?.record).toMatchObject({ outputs: { done: true }, metadata: { attempts: 1 } });
    expect(readTree(machine.workspace)).toEqual(left);
  },
);
