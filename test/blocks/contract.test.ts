import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { createCatalog } from "../../src/block/catalog.ts";
import { type BlockType, type OnInterrupted, onInterruptedChoices } from "../../src/block/define-block.ts";
import type { Blobs } from "../../src/block/ports.ts";
import { blockTypes } from "../../src/blocks/index.ts";
import { invertChanges } from "../../src/changes/invert-changes.ts";
import type { RunEvent } from "../../src/engine/events.ts";
import type { Execution } from "../../src/engine/execution.ts";
import { toValue, type ValueMap } from "../../src/expression/value.ts";
import { blockTypeSchema } from "../../src/library/json-schema.ts";
import { createFileSystem } from "../../src/platform/files/file-system.ts";
import { browserVariables } from "../rig/browser.ts";
import { createTestEngine } from "../rig/engine.ts";
import { openFakeAgent, succeedAs } from "../rig/fake-agent.ts";
import { readTree } from "../rig/file-tree.ts";
import { createRepository } from "../rig/git-repository.ts";
import { openServer } from "../rig/http-server.ts";
import { makeChanges } from "../rig/make-changes.ts";
import { openModel, say } from "../rig/model-server.ts";

// Before any test begins: it may have to be fetched.
const variables = browserVariables();

const capabilities = ["commands", "reads files", "writes files", "network", "state", "prompts"];
const successful: Readonly<Record<string, unknown>> = { exit_code: 0, status_code: 200, found: true, created: true };

const fakeAgent = openFakeAgent(succeedAs("claude"));
const server = await openServer((_request, response) => response.end("hello"));
const model = await openModel(say("hello"));
afterAll(() => Promise.all([server.close(), model.close()]));
afterAll(() => rmSync(fakeAgent.directory, { recursive: true, force: true }));

/** Inputs with which a block of the type can run by itself, in a repository with nothing but a `file` in it. */
const examples: Readonly<Record<string, object>> = {
  Shell: { command: "echo hi" },
  ExecuteWorkflow: { workflow: "child" },
  CreateFile: { path: "new", content: "text" },
  EditFile: { path: "file", content: "text" },
  ReadFile: { path: "file" },
  DeleteFile: { path: "file" },
  MoveFile: { from: "file", to: "new" },
  CopyFile: { from: "file", to: "new" },
  MakeDir: { path: "new" },
  RestoreFiles: { files: [{ path: "new", expect: "missing", restore: "directory 0755" }] },
  RenderTemplate: { template: "{{ a }}", variables: { a: 1 }, output_path: "new" },
  Wait: { duration: 0 },
  Prompt: { prompt: "Go on?" },
  Browser: { action: "click", url: server.url, target: "body", allow_private: true },
  HttpCall: { url: server.url, method: "POST", allow_private: true },
  LLMCall: { model: "openai-compatible/m", prompt: "Say hello", base_url: model.baseUrl, allow_private: true },
  Agent: { agent: "claude", prompt: "Do it", program: fakeAgent.program },
  ReadJSONState: { path: "new" },
  WriteJSONState: { path: "new", data: 1 },
  MergeJSONState: { path: "new", updates: { a: 1 } },
  CreateWorktree: { path: "new", branch: "new" },
  RemoveWorktree: { path: "new" },
};

async function runExample(name: string): Promise<{
  readonly workspace: string;
  readonly blobs: Blobs;
  readonly before: Record<string, string>;
  readonly events: readonly RunEvent[];
  readonly record: Execution | undefined;
}> {
  const child = { blocks: [{ id: "x", type: "Shell", inputs: { command: "true" } }] };
  const engine = createTestEngine({ workflows: { child }, environment: variables });
  const { workspace } = engine;
  writeFileSync(join(workspace, "file"), "old");
  createRepository(workspace);
  const before = readTree(workspace);
  const run = await engine.start({ blocks: [{ id: "it", type: name, inputs: examples[name] }] });
  const { response } = await run.settled;
  if (response.status === "paused") await run.answer("it", "yes");
  const { state, events } = response.status === "paused" ? await run.goOn() : await run.settled;
  return { workspace, blobs: engine.engine.platform.blobs, before, events, record: state.root.record.blocks.it };
}

function ruleOf({ type, inputs, onInterrupted }: BlockType): OnInterrupted {
  return typeof onInterrupted === "function"
    ? onInterrupted(inputs().parse(examples[type]) as ValueMap)
    : onInterrupted;
}

test("the catalog finds every type by its name and its aliases, and no two share one", () => {
  const catalog = createCatalog(blockTypes);
  for (const type of blockTypes) {
    for (const name of [type.type, ...(type.aliases ?? [])]) expect(catalog.find(name)).toBe(type);
  }
  expect(new Set(catalog.names).size).toBe(catalog.names.length);
});

test("every type has an example here", () => {
  expect(Object.keys(examples).toSorted()).toEqual(blockTypes.map(({ type }) => type).toSorted());
});

describe.each(blockTypes.map((type) => ({ name: type.type, type })))("$name", ({ name, type }) => {
  test("says in one line what it does, and describes every input and output", () => {
    expect(type.summary).toMatch(/^[A-Z].*\.$/);
    expect(type.summary).not.toContain("\n");
    for (const [field, schema] of Object.entries({ ...type.inputs().shape, ...type.outputs().shape })) {
      expect((schema as z.ZodType).description, field).toBeTruthy();
    }
  });

  test("has schemas that can be exported", () => {
    const schema = blockTypeSchema(type);
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
    expect(z.toJSONSchema(type.inputs(), { io: "input", unrepresentable: "any" })).toMatchObject({ type: "object" });
  });

  test("knows its inputs, fills in its defaults, and refuses what it does not know", () => {
    const parsed = type.inputs().parse(examples[name]);
    expect(toValue(parsed).ok).toBe(true);
    expect(type.inputs().parse(parsed)).toEqual(parsed);
    expect(type.inputs().safeParse({ ...examples[name], unheard_of: 1 }).success).toBe(false);
  });

  test("has default outputs for all it declares, none of which looks like success", () => {
    expect(Object.keys(type.defaultOutputs).toSorted()).toEqual(Object.keys(type.outputs().shape).toSorted());
    expect(type.outputs().safeParse(type.defaultOutputs).success).toBe(true);
    for (const [field, value] of Object.entries(type.defaultOutputs)) {
      expect(field in successful && value === successful[field], field).toBe(false);
      expect(value === true || (typeof value === "number" && value > 0), field).toBe(false);
    }
    for (const [field, value] of Object.entries(type.stateOutputs ?? {})) {
      expect(type.outputs().shape, field).toHaveProperty(field);
      expect(type.defaultOutputs[field], field).not.toEqual(value);
    }
  });

  test("takes secrets only in inputs that it has, and says so only if it does something itself", () => {
    for (const input of type.secretInputs ?? []) expect(type.inputs().shape).toHaveProperty(input);
    if (type.behaviour.kind === "nested") expect(type.secretInputs).toBeUndefined();
  });

  test("declares what it may do and what an interruption means", () => {
    for (const capability of type.capabilities) expect(capabilities).toContain(capability);
    expect(new Set(type.capabilities).size).toBe(type.capabilities.length);
    expect(onInterruptedChoices).toContain(ruleOf(type));
  });

  test("can be taken for done after an interruption only if that is asked of it", () => {
    const { behaviour } = type;
    const canBeAdopted = behaviour.kind === "leaf" && behaviour.adopt !== undefined;
    expect(canBeAdopted).toBe(ruleOf(type) === "ask");
  });

  test("has no timeout or dropped name among its inputs", () => {
    const names = Object.keys(type.inputs().shape);
    for (const dropped of Object.keys(type.droppedInputs ?? {})) expect(names).not.toContain(dropped);
    expect(names).not.toContain(type.timeoutInput?.name);
    for (const language of Object.keys(type.languages ?? {})) expect(names).toContain(language);
  });

  test("gives exactly the outputs it declares when it runs", async () => {
    const { record } = await runExample(name);
    expect(record?.metadata.succeeded).toBe(true);
    expect(Object.keys(record?.outputs ?? {}).toSorted()).toEqual(Object.keys(type.outputs().shape).toSorted());
  });

  test(`changes files as its undo coverage says: ${type.undo}`, async () => {
    const { workspace, blobs, before, events } = await runExample(name);
    const recorded = events.flatMap((event) => (event.type === "file-changed" ? event.changes : []));
    if (type.undo !== "automatic") expect(recorded).toEqual([]);
    // What other blocks take back is not a change of files alone.
    if (type.undo === "irreversible" || type.compensation !== undefined) return;
    if (type.undo === "automatic") {
      expect(readTree(workspace)).not.toEqual(before);
      await makeChanges((await invertChanges(recorded, blobs)).changes, createFileSystem(), blobs);
    }
    expect(readTree(workspace)).toEqual(before);
  });
});
