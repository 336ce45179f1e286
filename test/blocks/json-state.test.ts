import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Execution } from "../../src/engine/execution.ts";
import type { ValueMap } from "../../src/expression/value.ts";
import { createTestEngine, explain, type TestEngine } from "../rig/engine.ts";
import { createMachine } from "../rig/machine.ts";
import { runBlock } from "../rig/run-block.ts";

const read = (engine: TestEngine, inputs: object): Promise<Execution> => runBlock(engine, "ReadJSONState", inputs);
const write = (engine: TestEngine, inputs: object): Promise<Execution> => runBlock(engine, "WriteJSONState", inputs);
const merge = (engine: TestEngine, inputs: object): Promise<Execution> => runBlock(engine, "MergeJSONState", inputs);

function put(engine: TestEngine, path: string, text: string): void {
  writeFileSync(join(engine.workspace, path), text);
}

function textOf(engine: TestEngine, path: string): string {
  return readFileSync(join(engine.workspace, path), "utf8");
}

const succeeded = { status: "completed", outcome: "success" };
const failed = { status: "completed", outcome: "failure" };
const crashed = { status: "failed", outcome: "n/a" };

describe("ReadJSONState", () => {
  test("gives what the file holds, as a value", async () => {
    const engine = createTestEngine();
    put(engine, "state.json", '\uFEFF{"count": 3, "list": [1, null], "__proto__": 1}');
    const { metadata, outputs } = await read(engine, { path: "state.json" });
    expect(metadata).toMatchObject(succeeded);
    expect(JSON.stringify(outputs.data)).toBe('{"count":3,"list":[1,null],"__proto__":1}');
    expect(outputs).toMatchObject({ found: true, path: join(engine.workspace, "state.json") });
  });

  test("a missing file is an empty map, unless it is required", async () => {
    const engine = createTestEngine();
    const optional = await read(engine, { path: "no/such.json" });
    expect(optional.metadata).toMatchObject(succeeded);
    expect(optional.outputs).toMatchObject({ found: false, path: join(engine.workspace, "no/such.json") });
    expect({ ...(optional.outputs.data as object) }).toEqual({});
    const required = await read(engine, { path: "no/such.json", required: true });
    expect(required.metadata).toMatchObject({ ...failed, message: "the file 'no/such.json' does not exist" });
    expect(required.outputs).toMatchObject({ data: null, found: false });
  });

  test("whether it was found can be asked for by a condition", async () => {
    const { state } = await createTestEngine().run({
      blocks: [
        { id: "it", type: "ReadJSONState", inputs: { path: "state.json", required: true } },
        { id: "begin", type: "Shell", inputs: { command: "true" }, condition: "not ${blocks.it.found}" },
      ],
    });
    expect(state.root.record.blocks.begin?.metadata).toMatchObject(succeeded);
  });

  test.each([
    [
      '{\n  "a": 1,\n}',
      "'state.json' is not valid JSON: line 3, column 1: expected a name in double quotes, found '}'",
    ],
    ["", "'state.json' is not valid JSON: line 1, column 1: expected a value, found the end"],
    ["[1e999]", "'state.json' is not valid JSON: The value at [0] is Infinity, which is not a number JSON can hold."],
  ])("what is no JSON is a failure that says where: %j", async (text, message) => {
    const engine = createTestEngine();
    put(engine, "state.json", text);
    const { metadata, outputs } = await read(engine, { path: "state.json" });
    expect(metadata).toMatchObject({ ...failed, message });
    expect(outputs).toMatchObject({ data: null, found: true });
  });

  test("bytes that are no text, a directory and a file that is too large are failures", async () => {
    const engine = createTestEngine();
    mkdirSync(join(engine.workspace, "directory"));
    writeFileSync(join(engine.workspace, "bytes"), Buffer.from([0x22, 0xff, 0x22]));
    put(engine, "large", `"${"x".repeat(10_000_000)}"`);
    const messages = [];
    for (const path of ["directory", "bytes", "large"]) {
      const { metadata } = await read(engine, { path });
      expect(metadata).toMatchObject(failed);
      messages.push(metadata.message);
    }
    expect(messages).toEqual([
      expect.stringContaining("is a directory"),
      "'bytes' is not UTF-8 text",
      expect.stringContaining("larger"),
    ]);
  });

  test("a path that leads out of the workspace is refused, links too, unless it is unsafe", async () => {
    const engine = createTestEngine();
    const elsewhere = createMachine().workspace;
    writeFileSync(join(elsewhere, "state.json"), "7");
    symlinkSync(join(elsewhere, "state.json"), join(engine.workspace, "link.json"));
    for (const path of [join(elsewhere, "state.json"), "../x.json", "link.json"]) {
      expect((await read(engine, { path })).metadata).toMatchObject(crashed);
    }
    const { outputs } = await read(engine, { path: join(elsewhere, "state.json"), unsafe: true });
    expect(outputs).toMatchObject({ data: 7, found: true });
    expect((await read(engine, { path: "link.json", unsafe: true })).metadata).toMatchObject(crashed);
  });
});

describe("WriteJSONState", () => {
  test("writes two blanks a level, sorted keys and a final line break, and makes the directories", async () => {
    const engine = createTestEngine();
    const { metadata, outputs } = await write(engine, { path: "a/b/state.json", data: { b: [1], a: { z: null } } });
    expect(metadata).toMatchObject(succeeded);
    const text = '{\n  "a": {\n    "z": null\n  },\n  "b": [\n    1\n  ]\n}\n';
    expect(textOf(engine, "a/b/state.json")).toBe(text);
    expect(outputs).toEqual({ path: join(engine.workspace, "a/b/state.json"), size_bytes: text.length });
    expect(readdirSync(join(engine.workspace, "a/b"))).toEqual(["state.json"]);
  });

  test("any value can be written, and replaces what was there", async () => {
    const engine = createTestEngine();
    for (const data of [null, 0, "text", [], {}]) {
      expect((await write(engine, { path: "state.json", data })).metadata).toMatchObject(succeeded);
      expect(JSON.parse(textOf(engine, "state.json"))).toEqual(data);
    }
  });

  test("a value that another block made is written as the data it is", async () => {
    const engine = createTestEngine();
    const hostile = JSON.parse('{"__proto__": {"a": 1}, "text": "${inputs.x} {{ 7*7 }}"}') as ValueMap;
    await runBlock(engine, "WriteJSONState", { path: "state.json", data: "${inputs.value}" }, { value: hostile });
    expect(JSON.parse(textOf(engine, "state.json"))).toEqual(hostile);
    expect(textOf(engine, "state.json")).toContain('"__proto__"');
  });

  test("a file that holds the value already is not touched", async () => {
    const engine = createTestEngine();
    const written = { blocks: [{ id: "it", type: "WriteJSONState", inputs: { path: "state.json", data: [1] } }] };
    const kinds = [];
    for (const _ of [1, 2]) kinds.push((await engine.run(written)).events.some(({ type }) => type === "file-changed"));
    expect(kinds).toEqual([true, false]);
  });

  test("data must be given", () => {
    const { diagnostics } = createTestEngine().check({
      blocks: [{ id: "it", type: "WriteJSONState", inputs: { path: "state.json" } }],
    });
    expect(explain(diagnostics)).toBe("missing-input: block 'it': WriteJSONState needs the input 'data'.");
  });

  test("without create_parents a missing directory is a failure, and so is one in place of the file", async () => {
    const engine = createTestEngine();
    mkdirSync(join(engine.workspace, "taken"));
    const missing = await write(engine, { path: "no/state.json", data: 1, create_parents: false });
    const taken = await write(engine, { path: "taken", data: 1 });
    expect([missing.metadata.message, taken.metadata.message]).toEqual([
      "there is no directory 'no'",
      "'taken' is a directory, not a file",
    ]);
    expect([missing.metadata, taken.metadata]).toMatchObject([failed, failed]);
    expect(existsSync(join(engine.workspace, "no"))).toBe(false);
  });

  test("a value that takes more than what can be read again is not written", async () => {
    const engine = createTestEngine();
    const inputs = { path: "state.json", data: "${inputs.long}" };
    for (const [length, fits] of [
      [10_000_000 - 3, true],
      [10_000_000 - 2, false],
    ] as const) {
      const { metadata } = await runBlock(engine, "WriteJSONState", inputs, { long: "x".repeat(length) });
      expect(metadata.succeeded).toBe(fits);
      if (!fits) expect(metadata.message).toBe("'state.json' would hold more than 10,000,000 bytes of JSON");
      expect(textOf(engine, "state.json")).toHaveLength(10_000_000);
    }
    expect((await read(engine, { path: "state.json" })).metadata).toMatchObject(succeeded);
  });

  test("neither .git, .frond nor a place outside the workspace is written to", async () => {
    const engine = createTestEngine();
    mkdirSync(join(engine.workspace, ".git"));
    const guarded = [".git/config", ".GIT/config", ".frond/workflows/x.yaml", "a/.Frond/x"];
    for (const path of [...guarded, "../state.json", ".", "a/"]) {
      expect((await write(engine, { path, data: 1 })).metadata, path).toMatchObject(crashed);
      expect((await runBlock(engine, "MergeJSONState", { path, updates: {} })).metadata, path).toMatchObject(crashed);
    }
    expect(readdirSync(join(engine.workspace, ".git"))).toEqual([]);
  });

  test("the file keeps its permissions", async () => {
    const engine = createTestEngine();
    put(engine, "state.json", "1");
    chmodSync(join(engine.workspace, "state.json"), 0o600);
    const { events } = await engine.run({
      blocks: [{ id: "it", type: "WriteJSONState", inputs: { path: "state.json", data: 2 } }],
    });
    const change = events.find(({ type }) => type === "file-changed");
    expect(change).toMatchObject({ changes: [{ before: { mode: 0o600 }, after: { mode: 0o600 } }] });
    expect(textOf(engine, "state.json")).toBe("2\n");
  });

  test("blocks that write into the same new directory at the same time do not disturb each other", async () => {
    const engine = createTestEngine();
    const { response } = await engine.run({
      max_parallel: 20,
      blocks: [
        {
          id: "it",
          type: "WriteJSONState",
          inputs: { path: "new/deep/${each.index}.json", data: "${each.value}" },
          for_each: "${range(40)}",
          max_parallel: 20,
        },
      ],
    });
    expect(response.status).toBe("success");
    expect(readdirSync(join(engine.workspace, "new/deep"))).toHaveLength(40);
  });
});

describe("MergeJSONState", () => {
  test("merges maps at every depth, replaces lists, and tells what came of it", async () => {
    const engine = createTestEngine();
    put(engine, "state.json", '{"a": {"x": 1, "y": [1, 2]}, "keep": true}');
    const { metadata, outputs } = await merge(engine, {
      path: "state.json",
      updates: { a: { y: [3], z: null }, new: { deep: { value: 1 } } },
    });
    expect(metadata).toMatchObject(succeeded);
    const merged = { a: { x: 1, y: [3], z: null }, keep: true, new: { deep: { value: 1 } } };
    expect(JSON.parse(textOf(engine, "state.json"))).toEqual(merged);
    expect(JSON.parse(JSON.stringify(outputs))).toEqual({
      path: join(engine.workspace, "state.json"),
      created: false,
      merged_data: merged,
    });
  });

  test("makes a missing file with the directories on the way to it, unless it is told not to", async () => {
    const engine = createTestEngine();
    const refused = await merge(engine, { path: "a/state.json", updates: { x: 1 }, create_if_missing: false });
    expect(refused.metadata).toMatchObject({ ...failed, message: "the file 'a/state.json' does not exist" });
    expect(existsSync(join(engine.workspace, "a"))).toBe(false);
    const made = await merge(engine, { path: "a/state.json", updates: { x: 1 } });
    expect(made.outputs).toMatchObject({ created: true });
    expect(textOf(engine, "a/state.json")).toBe('{\n  "x": 1\n}\n');
  });

  test.each([
    ["[1]", "'state.json' holds a list of 1, and only a map can be merged into"],
    ["null", "'state.json' holds null, and only a map can be merged into"],
    ["{", "'state.json' is not valid JSON: line 1, column 2: expected a name in double quotes or }, found the end"],
    [
      '{"id": 12345678901234567890}',
      "'state.json' holds the number 12345678901234567890, which would lose digits when written again",
    ],
  ])("leaves a file alone that it can't merge into: %j", async (text, message) => {
    const engine = createTestEngine();
    put(engine, "state.json", text);
    const { metadata, outputs } = await merge(engine, { path: "state.json", updates: { a: 1 } });
    expect(metadata).toMatchObject({ ...failed, message });
    expect(outputs).toMatchObject({ created: false, merged_data: null });
    expect(textOf(engine, "state.json")).toBe(text);
  });

  test("every key is data, __proto__ too", async () => {
    const engine = createTestEngine();
    put(engine, "state.json", '{"__proto__": {"own": 1}}');
    const updates = JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}');
    const inputs = { path: "state.json", updates: "${inputs.updates}" };
    const { metadata } = await runBlock(engine, "MergeJSONState", inputs, { updates });
    expect(metadata).toMatchObject(succeeded);
    expect(textOf(engine, "state.json")).toContain('"__proto__": {\n    "own": 1,\n    "polluted": true\n  }');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test("updates that are no map are refused before anything runs", () => {
    const { diagnostics } = createTestEngine().check({
      blocks: [{ id: "it", type: "MergeJSONState", inputs: { path: "state.json", updates: [1] } }],
    });
    expect(explain(diagnostics)).toBe("wrong-type: block 'it': input 'updates' must be a map.");
  });

  test("200 blocks that merge into one file, 50 at a time, lose nothing", async () => {
    const engine = createTestEngine();
    const { response, events } = await engine.run({
      max_parallel: 50,
      blocks: [
        {
          id: "it",
          type: "MergeJSONState",
          inputs: { path: "state/all.json", updates: { done: "${from_json(each.value)}", last: "${each.index}" } },
          for_each: Array.from({ length: 200 }, (_, index) => JSON.stringify({ [`key-${index}`]: index })),
          max_parallel: 50,
        },
      ],
    });
    expect(response.status).toBe("success");
    const { done } = JSON.parse(textOf(engine, "state/all.json")) as { done: Record<string, number> };
    expect(Object.keys(done)).toHaveLength(200);
    expect(Object.entries(done).every(([key, index]) => key === `key-${index}`)).toBe(true);
    const created = events.filter((event) => event.type === "file-changed" && event.outputs.created === true);
    expect(created).toHaveLength(1);
  });
});

describe("after the death of the engine", () => {
  const merging = {
    blocks: [{ id: "it", type: "MergeJSONState", inputs: { path: "state.json", updates: { a: 1 } } }],
  };

  test("a merge whose file is found written is done, with the outputs it would have had", async () => {
    const machine = createMachine();
    const first = createTestEngine({ machine });
    const run = await first.start(merging, {
      onEvents: (events) => {
        // The next commit is the one of its end: the file is written by then.
        if (events.some(({ type }) => type === "file-changed")) first.process.doom("before-append");
      },
    });
    await expect.poll(() => first.process.isDead).toBe(true);
    const second = createTestEngine({ machine });
    const { response, events } = await (await second.takeOver(run.runId)).settled;
    expect(response.status).toBe("success");
    expect(events).toContainEqual(expect.objectContaining({ type: "block-interrupted", action: "done" }));
    expect(response.blocks?.it?.outputs).toMatchObject({ created: true, merged_data: { a: 1 } });
  });

  test("one whose file is found as it was runs again", async () => {
    const machine = createMachine();
    const first = createTestEngine({ machine });
    const run = await first.start(merging, {
      onEvents: (events) => {
        if (events.some(({ type }) => type === "block-started")) first.process.doom("after-append");
      },
    });
    await expect.poll(() => first.process.isDead).toBe(true);
    expect(existsSync(join(machine.workspace, "state.json"))).toBe(false);
    const { response, events } = await (await createTestEngine({ machine }).takeOver(run.runId)).settled;
    expect(response.status).toBe("success");
    expect(events).toContainEqual(expect.objectContaining({ type: "block-interrupted", action: "rerun" }));
    expect(JSON.parse(readFileSync(join(machine.workspace, "state.json"), "utf8"))).toEqual({ a: 1 });
  });
});
